// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class NetlinkMessageTest {
    /** Type 0x1234, flags REQUEST and ACK, sequence 7, port 0x0a0b0c0d, payload of 3 octets. */
    private static final String THREE_OCTETS = "13000000 3412 0500 07000000 0d0c0b0a aabbcc";

    private static final NetlinkMessage MESSAGE =
            new NetlinkMessage(0x1234, 5, 7, 0x0a0b0c0d, Octets.fromHex("aabbcc"));

    @Test
    void goldenBytes() {
        assertEquals(Octets.fromHex(THREE_OCTETS), MESSAGE.encode());
    }

    @Test
    void severalInOneDatagramArePaddedToFour() {
        assertEquals(
                List.of(MESSAGE, MESSAGE),
                NetlinkMessage.decodeAll(Octets.fromHex(THREE_OCTETS + "00" + THREE_OCTETS)));
    }

    @Test
    void lengthsThatDoNotFitAreMalformed() {
        for (String hex : List.of(
                "0f000000 3412 0500 07000000 0d0c0b0a", // less than the header
                "14000000 3412 0500 07000000 0d0c0b0a", // more than is there
                "ffffffff 3412 0500 07000000 0d0c0b0a",
                "10000000 3412 0500",
                "1000")) {
            NetlinkException malformed =
                    assertThrows(NetlinkException.class, () -> NetlinkMessage.decodeAll(Octets.fromHex(hex)), hex);
            assertEquals("EBADMSG", malformed.errno());
        }
    }

    @Property
    void roundTrip(@ForAll byte[] payload, @ForAll short type, @ForAll int sequence) {
        NetlinkMessage message = new NetlinkMessage(type & 0xffff, 1, sequence, 2, Octets.of(payload));
        assertEquals(List.of(message), NetlinkMessage.decodeAll(message.encode()));
    }

    @Property
    void anyBytesAreReadOrMalformed(@ForAll @Size(max = 80) byte[] bytes) {
        try {
            NetlinkMessage.decodeAll(Octets.of(bytes));
        } catch (NetlinkException malformed) {
            assertEquals("EBADMSG", malformed.errno());
        }
    }
}
