// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers captured on Linux 6.18: of a veth without and with GRO at its other end. Groups of the family are cut. */
class NetDevicesTest {
    private static final String FAMILY = "48000000 1000 0000 01000000 00000000 01020000 0b0002006e657464657600 00"
            + "06000100 14000000 0800030001000000 0800040000000000 0800050000000000";
    private static final String WITHOUT_GRO = "40000000 1400 0000 02000000 00000000 01010000 0800010002000000"
            + "0c0003002300000000000000 0c0005000700000000000000 0c0006000000000000000000";
    private static final String WITH_GRO = WITHOUT_GRO.replace("0c00030023", "0c00030067");
    private static final String ACK = "24000000 0200 0001 01000000 00000000 00000000 20000000100005000100000000000000";
    private static final String ERROR = ACK.replaceFirst("00000000 00000000 2", "00000000 %s 2");
    private static final String GET = "1c000000 1400 0500 02000000 00000000 01010000 0800010002000000";

    private static Optional<Boolean> takesRedirected(String family, String answer) {
        FakeTransport kernel = new FakeTransport(request -> List.of(
                withSequence(request.type() == Family.CONTROL.id() ? family : answer, request),
                withSequence(ACK, request)));
        try (NetDevices devices = NetDevices.over(GenericNetlink.over(NetlinkSocket.over(kernel)))) {
            Optional<Boolean> taken = devices.takesRedirected(2);
            if (kernel.sent().size() > 1) {
                assertEquals(Octets.fromHex(GET), kernel.sent().get(1));
            }
            return taken;
        }
    }

    private static Octets withSequence(String hex, NetlinkMessage request) {
        byte[] bytes = Octets.fromHex(hex).toArray();
        bytes[8] = (byte) request.sequence();
        return Octets.of(bytes);
    }

    @Test
    void aFrameLeavesOrNot() {
        assertEquals(Optional.of(false), takesRedirected(FAMILY, WITHOUT_GRO));
        assertEquals(Optional.of(true), takesRedirected(FAMILY, WITH_GRO));
    }

    @Test
    void whatTheKernelDoesNotSayIsEmpty() {
        String absent = ERROR.formatted("feffffff");
        assertEquals(Optional.empty(), takesRedirected(absent, WITH_GRO));
        assertEquals(Optional.empty(), takesRedirected(FAMILY, ERROR.formatted("edffffff")));
        assertThrows(NetlinkException.class, () -> takesRedirected(FAMILY, ERROR.formatted("ffffffff")));
    }
}
