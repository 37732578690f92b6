// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Requests as include/uapi/linux/rtnetlink.h lays them out; answers as in {@link RouteTableTest}. */
class LocalRoutesTest {
    private static final int PROTOCOL = 76;
    private static final LocalRoute IPV4 = new LocalRoute(ip("192.0.2.10"), PROTOCOL, Optional.of(ip("10.1.0.2")));
    private static final LocalRoute IPV6 = new LocalRoute(ip("2001:db8::10"), PROTOCOL, Optional.of(ip("fd00:1::2")));

    private static final String ACK = "24000000 0200 0001 09000000 483b0000 00000000 240000001a0005000900000000000000";
    private static final String DONE = "14000000 0300 2200 07000000 483b0000 00000000";
    private static final String ERROR_START = "24000000 0200 0001 0c000000 483b0000 ";
    private static final String ERROR_END = " 240000001a0005000c00000000000000";
    private static final String ESRCH = ERROR_START + "fdffffff" + ERROR_END;
    private static final String EEXIST = ERROR_START + "efffffff" + ERROR_END;
    private static final String ENETUNREACH = ERROR_START + "9bffffff" + ERROR_END;

    /** struct rtmsg: family, 32 or 128 bits, table 255, protocol 76, scope host (254), type local (2). */
    private static final String IPV4_ADDRESS = "02200000ff4cfe0200000000 08000100c000020a";

    private static final String IPV4_ROUTE = IPV4_ADDRESS + "080007000a010002 0800040001000000";
    private static final String IPV6_ROUTE = "0a800000ff4cfe0200000000 1400010020010db8000000000000000000000010"
            + "14000700fd000001000000000000000000000002 0800040001000000";
    private static final String DUMPED_IPV4 = "34000000 1800 0200 01000000 483b0000" + IPV4_ROUTE;
    private static final String DUMPED_IPV6 = "4c000000 1800 0200 01000000 483b0000" + IPV6_ROUTE;

    @Test
    void addReplaceAndRemove() {
        sends("34000000 1800 0506 01000000 00000000" + IPV4_ROUTE, routes -> routes.add(IPV4));
        sends("4c000000 1800 0506 01000000 00000000" + IPV6_ROUTE, routes -> routes.add(IPV6));
        sends("34000000 1800 0505 01000000 00000000" + IPV4_ROUTE, routes -> routes.replace(IPV4));
        sends(
                "2c000000 1900 0500 01000000 00000000" + IPV4_ADDRESS + "0800040001000000",
                routes -> assertTrue(routes.remove(ip("192.0.2.10"), PROTOCOL)));
    }

    private static void sends(String request, Consumer<LocalRoutes> work) {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(ACK));
        try (LocalRoutes routes = LocalRoutes.over(NetlinkSocket.over(kernel))) {
            work.accept(routes);
        }
        assertEquals(List.of(Octets.fromHex(request)), kernel.sent());
    }

    @Test
    void dumpsOfBothFamilies() {
        FakeTransport kernel =
                FakeTransport.answering(Octets.fromHex(DUMPED_IPV4), Octets.fromHex(DUMPED_IPV6), Octets.fromHex(DONE));
        try (LocalRoutes routes = LocalRoutes.over(NetlinkSocket.over(kernel))) {
            // A kernel without a family dumps all others in its place.
            assertEquals(List.of(IPV4, IPV6), routes.list(PROTOCOL));
        }
        assertEquals(
                List.of(
                        Octets.fromHex("1c000000 1a00 0103 01000000 00000000 02000000ff4c000200000000"),
                        Octets.fromHex("1c000000 1a00 0103 02000000 00000000 0a000000ff4c000200000000")),
                kernel.sent());
        assertEquals(List.of(), ask(routes -> routes.list(2), DUMPED_IPV4, DONE));
        assertEquals(List.of(IPV4), ask(LocalRoutes::list, DUMPED_IPV4, DONE));
    }

    @Test
    void onlyRoutesOfOneLocalAddressAreFound() {
        assertEquals(Optional.of(IPV4), ask(routes -> routes.find(ip("192.0.2.10")), DUMPED_IPV4, ACK));
        String wider = DUMPED_IPV4.replace("02200000", "02180000");
        assertEquals(Optional.empty(), ask(routes -> routes.find(ip("192.0.2.10")), wider, ACK));
        String unicast = DUMPED_IPV4.replace("ff4cfe02", "ff4cfe01");
        assertEquals(Optional.empty(), ask(routes -> routes.find(ip("192.0.2.10")), unicast, ACK));
        assertEquals(Optional.empty(), ask(routes -> routes.find(ip("192.0.2.10")), ENETUNREACH));
    }

    @Test
    void errors() {
        boolean removed = ask(routes -> routes.remove(ip("192.0.2.10"), PROTOCOL), ESRCH);
        assertFalse(removed);
        NetlinkException failure = assertThrows(NetlinkException.class, () -> ask(LocalRoutesTest::addIpv4, EEXIST));
        assertEquals("add local route 192.0.2.10: EEXIST", failure.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new LocalRoute(ip("192.0.2.10"), 256, Optional.empty()));
    }

    private static boolean addIpv4(LocalRoutes routes) {
        routes.add(IPV4);
        return true;
    }

    private static <T> T ask(Function<LocalRoutes, T> question, String... answer) {
        Octets[] datagrams = new Octets[answer.length];
        for (int i = 0; i < answer.length; i++) {
            datagrams[i] = Octets.fromHex(answer[i]);
        }
        try (LocalRoutes routes = LocalRoutes.over(NetlinkSocket.over(FakeTransport.answering(datagrams)))) {
            return question.apply(routes);
        }
    }
}
