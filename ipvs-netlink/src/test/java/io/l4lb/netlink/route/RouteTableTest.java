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
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Answers captured on Linux 6.18 by printing each datagram of this library's own requests, in a network namespace whose
 * interface 2, up0, has 10.1.0.2/24 and fd00:1::2/64 and default routes by 10.1.0.1 and fd00:1::1. Some statistics are cut.
 */
class RouteTableTest {
    private static final String ACK = "24000000 0200 0001 09000000 483b0000 00000000 240000001a0005000900000000000000";
    private static final String ROUTE_TO_8_8_8_8 = "70000000 1800 0000 09000000 483b0000 02200000fe00000100020000"
            + "08000f00fe000000 0800010008080808 0800040002000000 080007000a010002 080005000a010001 0800190000000000"
            + "24000c000200000000000000000000000000000000000000000000000000000000000000";
    private static final String ROUTE_TO_192_0_2_1_BY_IPV6 =
            "80000000 1800 0000 0f000000 483b0000 02200000fe00000100020000"
                    + "08000f00fe000000 08000100c0000201 0800040002000000 080007000a010002"
                    + "160012000a00fd0000010000000000000000000000010000 0800190000000000"
                    + "24000c000200000000000000000000000000000000000000000000000000000000000000";
    private static final String ROUTE_TO_ITSELF = "68000000 1800 0000 0b000000 483b0000 02200000fe00000200800000"
            + "08000f00fe000000 080001000a010002 0800040001000000 080007000a010002 0800190000000000"
            + "24000c000100000000000000000000000000000000000000000000000000000000000000";
    private static final String ROUTE_TO_2001_DB8__1 = "b0000000 1800 0000 10000000 483b0000 0a808000fe03000100000000"
            + "08000f00fe000000 1400010020010db8000000000000000000000001 1400020000000000000000000000000000000000"
            + "14000700fd000001000000000000000000000002 0800060000040000 14000500fd000001000000000000000000000001"
            + "0800040002000000 24000c000200000000000000000000000000000000000000000000000000000000000000"
            + "0500140000000000";
    private static final String NEIGHBOR_REACHABLE = "4c000000 1c00 0000 20000000 483b0000 020000000200000002000001"
            + "080001000a010001 0a000200020000000101 0000 0800040004000000 1400030032000000320000003200000002000000";
    private static final String NEIGHBOR_INCOMPLETE = "4c000000 1c00 0000 21000000 483b0000 0a0000000200000001000001"
            + "14000100fd000001000000000000000000000001 0800040004000000 14000300a2170000320000003200000002000000";
    private static final String NEIGHBOR_PERMANENT = "4c000000 1c00 0000 18000000 483b0000 020000000200000080000001"
            + "080001000a01004d 0a000200020000000077 0000 0800040000000000 140003004c0000004c0000004c00000001000000";
    private static final String NO_NEIGHBOR = "44000000 0200 0003 1b000000 483b0000 feffffff"
            + "240000001e0005001b00000000000000 1e0001004e65696768626f757220656e747279206e6f7420666f756e64 000000";
    private static final String ERROR_START = "24000000 0200 0001 0c000000 483b0000 ";
    private static final String ERROR_END = "240000001a0005000c00000000000000";
    private static final String ENETUNREACH = ERROR_START + "9bffffff" + ERROR_END;
    private static final String EHOSTUNREACH = ERROR_START + "8fffffff" + ERROR_END;
    private static final String EACCES_OF_PROHIBIT = ERROR_START + "f3ffffff" + ERROR_END;
    private static final String EINVAL_OF_BLACKHOLE = ERROR_START + "eaffffff" + ERROR_END;
    private static final String ENODEV = ERROR_START + "edffffff" + ERROR_END;
    private static final String EPERM = ERROR_START + "ffffffff" + ERROR_END;
    private static final String LINK_UP0 = "4c000000 1000 0000 01000000 483b0000 00000100020000004310010000000000"
            + "0800030075703000 08000d00e8030000 08000400dc050000 0a00010002000000010200000800410000000000";
    private static final String ADDRESS_V4 = "4c000000 1400 2200 06000000 483b0000 0218800002000000"
            + "080001000a010002 080002000a010002 0800030075703000 0800080080000000"
            + "14000600ffffffffffffffff9614020096140200";
    private static final String ADDRESS_V6 = "48000000 1400 2200 07000000 483b0000 0a40820002000000"
            + "14000100fd000001000000000000000000000002 14000600ffffffffffffffff9614020096140200 0800080082000000";
    private static final String ADDRESS_V6_TENTATIVE = "50000000 1400 2200 07000000 483b0000 0a40c0fd02000000"
            + "14000100fe80000000000000000000fffe000102 14000600ffffffffffffffff9914020099140200 08000800c0000000"
            + "05000b0003000000";
    private static final String DONE = "14000000 0300 2200 07000000 483b0000 00000000";

    private static final MacAddress GATEWAY_MAC = MacAddress.parse("02:00:00:00:01:01");

    @Test
    void routeByAGateway() {
        assertEquals(
                Optional.of(new Route(2, Optional.of(ip("10.1.0.1")), Optional.of(ip("10.1.0.2")), false)),
                ask(table -> table.routeTo(ip("8.8.8.8")), ROUTE_TO_8_8_8_8, ACK));
        assertEquals(
                Optional.of(new Route(2, Optional.of(ip("fd00:1::1")), Optional.of(ip("fd00:1::2")), false)),
                ask(table -> table.routeTo(ip("2001:db8::1")), ROUTE_TO_2001_DB8__1, ACK));
    }

    @Test
    void routeByAGatewayOfTheOtherFamily() {
        assertEquals(
                Optional.of(new Route(2, Optional.of(ip("fd00:1::1")), Optional.of(ip("10.1.0.2")), false)),
                ask(table -> table.routeTo(ip("192.0.2.1")), ROUTE_TO_192_0_2_1_BY_IPV6, ACK));
    }

    @Test
    void routeToItselfIsLocal() {
        Route route = ask(table -> table.routeTo(ip("10.1.0.2")), ROUTE_TO_ITSELF, ACK)
                .orElseThrow();
        assertEquals(new Route(1, Optional.empty(), Optional.of(ip("10.1.0.2")), true), route);
        assertEquals(ip("10.1.0.2"), route.nextHop(ip("10.1.0.2")));
    }

    @Test
    void noWayIsEmpty() {
        for (String error : List.of(ENETUNREACH, EHOSTUNREACH, EACCES_OF_PROHIBIT, EINVAL_OF_BLACKHOLE)) {
            assertEquals(Optional.empty(), ask(table -> table.routeTo(ip("198.51.100.1")), error));
        }
        NetlinkException failure =
                assertThrows(NetlinkException.class, () -> ask(table -> table.routeTo(ip("198.51.100.1")), EPERM));
        assertEquals("get route to 198.51.100.1: EPERM", failure.getMessage());
    }

    @Test
    void neighborOnlyIfUsable() {
        assertEquals(
                Optional.of(new Neighbor(ip("10.1.0.1"), GATEWAY_MAC, Neighbor.State.REACHABLE)),
                ask(table -> table.neighbor(2, ip("10.1.0.1")), NEIGHBOR_REACHABLE, ACK));
        assertEquals(Optional.empty(), ask(table -> table.neighbor(2, ip("fd00:1::1")), NEIGHBOR_INCOMPLETE, ACK));
        assertEquals(Optional.empty(), ask(table -> table.neighbor(2, ip("10.1.0.1")), NO_NEIGHBOR));
    }

    @Test
    void resolveUsesTheEntry() {
        FakeTransport kernel = new FakeTransport(request ->
                List.of(withSequence(request.type() == Neighbor.GET ? NO_NEIGHBOR : ACK, request.sequence())));
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            table.resolve(2, ip("10.1.0.1"));
        }
        assertEquals(
                List.of(
                        Octets.fromHex(
                                "24000000 1e00 0500 01000000 00000000 020000000200000000000000 080001000a010001"),
                        Octets.fromHex(
                                "24000000 1c00 0505 02000000 00000000 020000000200000000000100 080001000a010001")),
                kernel.sent());
    }

    @Test
    void resolveLeavesAConfiguredEntryAlone() {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(NEIGHBOR_PERMANENT), Octets.fromHex(ACK));
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            table.resolve(2, ip("10.1.0.77"));
        }
        assertEquals(1, kernel.sent().size());
    }

    @Test
    void links() {
        Link up0 = new Link(2, "up0", Optional.of(MacAddress.parse("02:00:00:00:01:02")), 1500, true, true);
        assertEquals(Optional.of(up0), ask(table -> table.link("up0"), LINK_UP0, ACK));
        assertEquals(Optional.of(up0), ask(table -> table.link(2), LINK_UP0, ACK));
        assertEquals(List.of(up0, up0), ask(RouteTable::links, LINK_UP0, LINK_UP0, DONE));
        assertEquals(List.of(), ask(RouteTable::links, DONE));
        assertEquals(Optional.empty(), ask(table -> table.link("none"), ENODEV));
    }

    /** As include/uapi/linux/if_link.h has it; the kernel of the machine where the others were captured has no VLANs. */
    @Test
    void parentOfAVlanInterface() {
        String parent = "0800050002000000";
        String vlan = "4c000000 1000 0000 01000000 483b0000 00000100030000004310010000000000"
                + "0b0003007570302e3700 0000" + parent + "08000400dc050000 10001200 09000100766c616e00 000000";
        assertEquals(Optional.of(2), ask(table -> table.vlanParent(3), vlan, ACK));
        String macvlan = vlan.replace("10001200 09000100766c616e00 000000", "10001200 0c0001006d6163766c616e00");
        assertEquals(Optional.empty(), ask(table -> table.vlanParent(3), macvlan, ACK));
        assertEquals(Optional.empty(), ask(table -> table.vlanParent(2), LINK_UP0, ACK));
        assertEquals(Optional.empty(), ask(table -> table.vlanParent(2), ENODEV));
    }

    @Test
    void addressesOfOneInterfaceAndOfTheFamilyAskedFor() {
        assertEquals(
                List.of(
                        new InterfaceAddress(ip("10.1.0.2"), 24, InterfaceAddress.SCOPE_GLOBAL, false),
                        new InterfaceAddress(ip("fd00:1::2"), 64, InterfaceAddress.SCOPE_GLOBAL, false),
                        new InterfaceAddress(ip("fe80::ff:fe00:102"), 64, InterfaceAddress.SCOPE_LINK, true)),
                ask(table -> table.addresses(2), ADDRESS_V4, ADDRESS_V6, ADDRESS_V6_TENTATIVE, DONE));
        assertEquals(List.of(), ask(table -> table.addresses(3), ADDRESS_V4, ADDRESS_V6, DONE));
    }

    @Test
    void macAddressText() {
        assertEquals("02:00:00:00:01:01", GATEWAY_MAC.toString());
        assertEquals(Optional.empty(), MacAddress.of(Octets.fromHex("00000000")));
        assertThrows(IllegalArgumentException.class, () -> MacAddress.parse("02:00:00:00:01"));
        assertThrows(IllegalArgumentException.class, () -> MacAddress.parse("02-00-00-00-01-01"));
    }

    private static <T> T ask(Function<RouteTable, T> question, String... answer) {
        Octets[] datagrams = new Octets[answer.length];
        for (int i = 0; i < answer.length; i++) {
            datagrams[i] = Octets.fromHex(answer[i]);
        }
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(FakeTransport.answering(datagrams)))) {
            return question.apply(table);
        }
    }

    private static Octets withSequence(String hex, int sequence) {
        byte[] bytes = Octets.fromHex(hex).toArray();
        bytes[8] = (byte) sequence;
        return Octets.of(bytes);
    }
}
