// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Answers captured on Linux 6.18 as those of {@link RouteTableTest} were. */
class KeptNeighborTest {
    private static final String ACK = "24000000 0200 0001 01000000 00000000 00000000 240000001e0005000100000000000000";
    private static final String KEPT = "5c000000 1c00 0000 01000000 00000000 020000000200000002000001"
            + "080001000a010001 0a000200020000000101 0000 0800040004000000 1400030020000000200000002000000002000000"
            + "05000c004c000000 08000f0001000000";
    private static final String KEPT_WITHOUT_ANSWER = "50000000 1c00 0200 01000000 00000000 020000000200000001000001"
            + "080001000a010063 0800040004000000 140003008e1700001e0000001e00000002000000"
            + "05000c004c000000 08000f0001000000";
    private static final String RELEASED = "54000000 1c00 0000 01000000 00000000 020000000200000002000001"
            + "080001000a010001 0a000200020000000101 0000 0800040004000000 1400030070000000000000007000000002000000"
            + "05000c004c000000";
    private static final String KEPT_FOR_ANOTHER = KEPT.replace("05000c004c000000", "05000c004d000000");
    private static final String PERMANENT = "4c000000 1c00 0000 01000000 00000000 020000000200000080000001"
            + "080001000a010001 0a000200020000000077 0000 0800040000000000 140003004c0000004c0000004c00000001000000";
    private static final String NO_NEIGHBOR =
            "24000000 0200 0000 01000000 00000000 feffffff" + "240000001e0005000100000000000000";
    private static final String KEEP = "34000000 1c00 0505 02000000 00000000 020000000200000000000100"
            + "080001000a010001 05000c004c000000 08000f0001000000";
    private static final String RELEASE =
            "24000000 1c00 0505 02000000 00000000 020000000200000000000100 080001000a010001";
    private static final String FORWARDING = "4c000000 5000 0000 01000000 00000000 02000000"
            + "0800010002000000 0800020001000000 0800030000000000 0800040000000000 0800080000000000 0800050000000000"
            + "0800060000000000";

    /** What is sent when the entry is found to be so. */
    private static List<String> sent(String found, Consumer<RouteTable> call) {
        FakeTransport kernel = new FakeTransport(request -> request.type() == Neighbor.GET
                ? List.of(withSequence(found, request), withSequence(ACK, request))
                : List.of(withSequence(ACK, request)));
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            call.accept(table);
        }
        return kernel.sent().stream().skip(1).map(Octets::toHex).toList();
    }

    private static Octets withSequence(String hex, NetlinkMessage request) {
        byte[] bytes = Octets.fromHex(hex).toArray();
        bytes[8] = (byte) request.sequence();
        return Octets.of(bytes);
    }

    private static List<String> hex(String message) {
        return List.of(Octets.fromHex(message).toHex());
    }

    @Test
    void keepAsksOnlyForWhatIsNotKept() {
        Consumer<RouteTable> keep = table -> table.keep(2, ip("10.1.0.1"));
        assertEquals(hex(KEEP), sent(NO_NEIGHBOR, keep));
        assertEquals(hex(KEEP), sent(RELEASED, keep));
        assertEquals(List.of(), sent(KEPT, keep));
        assertEquals(List.of(), sent(KEPT_WITHOUT_ANSWER.replace("1c00 0200", "1c00 0000"), keep));
        assertEquals(List.of(), sent(KEPT_FOR_ANOTHER, keep));
        assertEquals(List.of(), sent(PERMANENT, keep));
    }

    @Test
    void releaseTakesBackOnlyWhatWasKept() {
        Consumer<RouteTable> release = table -> table.release(new KeptNeighbor(2, ip("10.1.0.1")));
        assertEquals(hex(RELEASE), sent(KEPT, release));
        assertEquals(List.of(), sent(NO_NEIGHBOR, release));
        assertEquals(List.of(), sent(RELEASED, release));
        assertEquals(List.of(), sent(KEPT_FOR_ANOTHER, release));
        assertEquals(List.of(), sent(PERMANENT, release));
    }

    @Test
    void whatIsKeptIsListed() {
        String done = "14000000 0300 0200 01000000 00000000 00000000";
        FakeTransport kernel = new FakeTransport(request -> List.of(
                withSequence(KEPT.replace("1c00 0000", "1c00 0200"), request),
                withSequence(KEPT_WITHOUT_ANSWER, request),
                withSequence(RELEASED.replace("1c00 0000", "1c00 0200"), request),
                withSequence(KEPT_FOR_ANOTHER.replace("1c00 0000", "1c00 0200"), request),
                withSequence(done, request)));
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            List<KeptNeighbor> kept =
                    List.of(new KeptNeighbor(2, ip("10.1.0.1")), new KeptNeighbor(2, ip("10.1.0.99")));
            assertEquals(List.of(kept.get(0), kept.get(1), kept.get(0), kept.get(1)), table.kept());
        }
        assertEquals(
                List.of("1c0000001e0001030100000000000000020000000000000000000000"),
                List.of(kernel.sent().get(0).toHex()));
    }

    @Test
    void forwarding() {
        assertTrue(forwards(FORWARDING));
        assertFalse(forwards(FORWARDING.replace("0800020001000000", "0800020000000000")));
        assertFalse(forwards(NO_NEIGHBOR.replace("feffffff", "edffffff")));
    }

    private static boolean forwards(String answer) {
        FakeTransport kernel =
                new FakeTransport(request -> List.of(withSequence(answer, request), withSequence(ACK, request)));
        try (RouteTable table = RouteTable.over(NetlinkSocket.over(kernel))) {
            boolean forwards = table.forwards(2, true);
            assertEquals(
                    hex("1c000000 5200 0500 01000000 00000000 02000000 0800010002000000"),
                    List.of(kernel.sent().get(0).toHex()));
            return forwards;
        }
    }
}
