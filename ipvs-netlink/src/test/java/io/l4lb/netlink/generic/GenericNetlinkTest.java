// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Captured on Linux 6.18 by printing each datagram of this library's own requests. */
class GenericNetlinkTest {
    private static final String GET_NLCTRL = "20000000 1000 0500 01000000 00000000 03020000 0b0002006e6c6374726c 00 00";
    private static final String NLCTRL = "88000000 1000 0000 01000000 483b0000 01020000 0b0002006e6c6374726c0000"
            + "0600010010000000 0800030002000000 0800040000000000 0800050000000000"
            + "2c000600 14000100 0800010003000000 080002000e000000 14000200 080001000a000000 080002000c000000"
            + "1c000700 18000100 0800020010000000 0b0001006e6f746966790000";
    private static final String ACK = "24000000 0200 0001 01000000 483b0000 00000000 20000000100005000100000000000000";
    private static final String ENOENT =
            "24000000 0200 0001 02000000 483b0000 feffffff 20000000100005000200000000000000";
    private static final String EPERM = ENOENT.replace("feffffff", "ffffffff");

    @Test
    void familyByName() {
        FakeTransport kernel = FakeTransport.answering(Octets.fromHex(NLCTRL), Octets.fromHex(ACK));
        try (GenericNetlink netlink = GenericNetlink.over(NetlinkSocket.over(kernel))) {
            assertEquals(Optional.of(new Family(16, "nlctrl", 2, Map.of("notify", 16))), netlink.family("nlctrl"));
        }
        assertEquals(List.of(Octets.fromHex(GET_NLCTRL)), kernel.sent());
    }

    @Test
    void absentFamilyIsEmpty() {
        try (GenericNetlink netlink = answering(ENOENT)) {
            assertEquals(Optional.empty(), netlink.family("IPVS"));
        }
    }

    @Test
    void otherErrorsAreTold() {
        try (GenericNetlink netlink = answering(EPERM)) {
            NetlinkException failure = assertThrows(NetlinkException.class, () -> netlink.family("IPVS"));
            assertEquals("find generic netlink family IPVS: EPERM", failure.getMessage());
        }
    }

    @Property
    void anyAttributesAreReadOrMalformed(@ForAll byte[] bytes) {
        try {
            Family.decode(AttributeReader.of(Octets.of(bytes)));
        } catch (NetlinkException malformed) {
            assertEquals("EBADMSG", malformed.errno());
        }
    }

    private static GenericNetlink answering(String datagram) {
        return GenericNetlink.over(NetlinkSocket.over(FakeTransport.answering(Octets.fromHex(datagram))));
    }
}
