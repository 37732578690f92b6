// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import io.l4lb.netlink.generic.GenericNetlink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Captured on Linux 6.1 with ip_vs in a VM by printing each datagram of this library's own requests; errors are made up. */
class IpvsClientTest {
    /** CTRL_CMD_NEWFAMILY: number 0x20, version 1; its 16 operations are cut to two. */
    private static final String FAMILY_IPVS = "6c000000 1000 0000 01000000 8e000000 01020000"
            + "09000200495056530000 0000 0600010020000000 0800030001000000 0800040000000000 0800050006000000"
            + "2c000600 14000100 0800010001000000 080002000b000000 14000200 0800010002000000 080002000b000000";
    /** IPVS_CMD_GET_INFO (15). */
    private static final String GET_INFO = "14000000 2000 0500 02000000 00000000 0f010000";
    /** IPVS_CMD_SET_INFO (14): version 1.2.1, 4096 buckets. */
    private static final String INFO =
            "24000000 2000 0000 02000000 8e000000 0e010000 0800010001020100 0800020000100000";

    private static final String ACK = "24000000 0200 0001 02000000 8e000000 00000000 14000000200005000200000000000000";
    private static final String EPERM = ACK.replace("00000000 14", "ffffffff 14");
    private static final String ENOENT = ACK.replace("00000000 14", "feffffff 14");

    @Test
    void infoIsVersionAndTableSize() {
        FakeTransport kernel = kernel(List.of(INFO, ACK));
        try (IpvsClient ipvs = open(kernel)) {
            assertEquals(new IpvsInfo("1.2.1", 4096), ipvs.info());
        }
        assertEquals(Octets.fromHex(GET_INFO), kernel.sent().get(1));
        assertTrue(kernel.isClosed());
    }

    @Test
    void withoutTheModuleItSaysWhatToLoad() {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(ENOENT));
        NetlinkUnsupportedException unsupported = assertThrows(NetlinkUnsupportedException.class, () -> open(kernel));
        assertEquals(
                "open IPVS: ENOENT (kernel module ip_vs is not loaded (modprobe ip_vs))", unsupported.getMessage());
        assertTrue(kernel.isClosed());
    }

    @Test
    void withoutThePrivilegeItSaysSo() {
        try (IpvsClient ipvs = open(kernel(List.of(EPERM)))) {
            NetlinkException failure = assertThrows(NetlinkException.class, ipvs::info);
            assertEquals("get IPVS info: EPERM", failure.getMessage());
        }
    }

    @Test
    void anAckWithoutAnAnswerIsNoInfo() {
        try (IpvsClient ipvs = open(kernel(List.of(ACK)))) {
            assertEquals(
                    "EBADMSG", assertThrows(NetlinkException.class, ipvs::info).errno());
        }
    }

    /** Knows the family, and gives one answer to everything else; its sequence numbers are 1 and 2. */
    private static FakeTransport kernel(List<String> answer) {
        return new FakeTransport(request -> {
            boolean control = request.type() == 0x10;
            List<Octets> datagrams = new ArrayList<>();
            for (String hex : control ? List.of(FAMILY_IPVS, ACK.replace("0200 0001 02", "0200 0001 01")) : answer) {
                datagrams.add(Octets.fromHex(hex));
            }
            return datagrams;
        });
    }

    private static IpvsClient open(FakeTransport kernel) {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(kernel)));
    }
}
