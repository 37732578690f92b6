// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers captured on Linux 6.18 as those of {@link RouteTableTest} were, with two multipath routes more. */
class RouteHopTest {
    private static final String TABLE_MAIN = "08000f00fe000000";
    private static final String DEFAULT_V4 = "34000000 1800 0000 01000000 00000000 02000000fe03000100000000"
            + TABLE_MAIN + "080005000a010001 0800040002000000";
    private static final String MULTIPATH_V4 =
            "50000000 1800 0000 01000000 00000000 02180000fe03000100000000" + TABLE_MAIN
                    + "08000100c0000200 24000900 1000000002000000 080005000a010001 1000000002000000 080005000a010003";
    private static final String ON_LINK = "3c000000 1800 0000 01000000 00000000 02180000fe02fd0100000000" + TABLE_MAIN
            + "080001000a010000 080007000a010002 0800040002000000";
    private static final String LOCAL = "3c000000 1800 0000 01000000 00000000 02200000fe02fe0200000000" + TABLE_MAIN
            + "080001000a010002 080007000a010002 0800040002000000";
    private static final String BY_IPV6 = "4c000000 1800 0000 01000000 00000000 02180000fe03000100000000" + TABLE_MAIN
            + "08000100c0000300 160012000a00fd0000010000000000000000000000010000 0800040002000000";
    private static final String MULTIPATH_V6 =
            "a8000000 1800 0000 01000000 00000000 0a400000fe03000100000000" + TABLE_MAIN
                    + "1400010020010db9000000000000000000000000 0800060000040000"
                    + "3c000900 1c00000002000000 14000500fd000001000000000000000000000003"
                    + "1c00000002000000 14000500fd000001000000000000000000000001"
                    + "24000c000000000000000000000000000000000000000000000000000000000000000000 0500140000000000";
    private static final String BLACKHOLE = "38000000 0200 0000 01000000 00000000 eaffffff"
            + "240000001a00050001000000000000000220000000000000 00200000 08000100c6336401";

    private static List<RouteHop> hops(String destination, String answer) {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(answer), ack());
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            return table.hops(ip(destination));
        }
    }

    private static Octets ack() {
        return Octets.fromHex("24000000 0200 0001 01000000 00000000 00000000 240000001a0005000100000000000000");
    }

    private static RouteHop by(String gateway) {
        return new RouteHop(2, Optional.of(ip(gateway)));
    }

    @Test
    void theRouteItselfIsAskedFor() {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(DEFAULT_V4), ack());
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            table.hops(ip("8.8.8.8"));
        }
        assertEquals(
                List.of(Octets.fromHex(
                        "24000000 1a00 0500 01000000 00000000 022000000000000000200000 0800010008080808")),
                kernel.sent());
    }

    @Test
    void oneWayOrSeveral() {
        assertEquals(List.of(by("10.1.0.1")), hops("8.8.8.8", DEFAULT_V4));
        assertEquals(List.of(by("10.1.0.1"), by("10.1.0.3")), hops("192.0.2.1", MULTIPATH_V4));
        assertEquals(List.of(by("fd00:1::1")), hops("192.0.3.1", BY_IPV6));
        assertEquals(List.of(by("fd00:1::3"), by("fd00:1::1")), hops("2001:db9::1", MULTIPATH_V6));
        RouteHop onLink = new RouteHop(2, Optional.empty());
        assertEquals(List.of(onLink), hops("10.1.0.77", ON_LINK));
        assertEquals(ip("10.1.0.77"), onLink.nextHop(ip("10.1.0.77")));
        assertEquals(ip("10.1.0.1"), by("10.1.0.1").nextHop(ip("8.8.8.8")));
    }

    @Test
    void aDeadWayIsNone() {
        String dead = MULTIPATH_V4.replaceFirst("1000000002000000", "1000010002000000");
        assertEquals(List.of(by("10.1.0.3")), hops("192.0.2.1", dead));
    }

    @Test
    void noWayToItselfOrIntoTheBlackHole() {
        assertEquals(List.of(), hops("10.1.0.2", LOCAL));
        assertEquals(List.of(), hops("198.51.100.1", BLACKHOLE));
    }

    @Test
    void lengthsThatLieAreNoticed() {
        for (String length : List.of("0000", "0400", "1100", "ffff")) {
            String lying = MULTIPATH_V4.replaceFirst("1000000002000000", length + "000002000000");
            assertEquals(
                    "EBADMSG",
                    assertThrows(NetlinkException.class, () -> hops("192.0.2.1", lying), length)
                            .errno());
        }
    }
}
