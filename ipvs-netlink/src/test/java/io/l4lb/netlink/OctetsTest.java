// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.Inet6Address;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class OctetsTest {
    private static final String MAPPED_ADDRESS = "00000000000000000000ffff0a010002";

    @Property
    void everyReadIsInsideOrMalformed(@ForAll byte[] bytes, @ForAll int offset) {
        Octets octets = Octets.of(bytes);
        List<Consumer<Octets>> reads = List.of(
                o -> o.u8(offset),
                o -> o.u16Host(offset),
                o -> o.u16Network(offset),
                o -> o.u32Host(offset),
                o -> o.u32Network(offset),
                o -> o.u64Host(offset),
                o -> o.from(offset));
        for (Consumer<Octets> read : reads) {
            try {
                read.accept(octets);
            } catch (NetlinkException malformed) {
                assertEquals("EBADMSG", malformed.errno());
            }
        }
    }

    @Property
    void numbersRoundTrip(@ForAll int value, @ForAll long wide) {
        Octets octets = new OctetsWriter()
                .u32Host(value)
                .u64Host(wide)
                .u16Host(value)
                .u16Network(value)
                .toOctets();

        assertEquals(value, octets.i32Host(0));
        assertEquals(Integer.toUnsignedLong(value), octets.u32Host(0));
        assertEquals(wide, octets.u64Host(4));
        assertEquals(value & 0xffff, octets.u16Host(12));
        assertEquals(value & 0xffff, octets.u16Network(14));
    }

    @Test
    void sixteenOctetsStayAnIpv6Address() {
        assertInstanceOf(Inet6Address.class, Octets.fromHex(MAPPED_ADDRESS).toAddress());
    }

    @Test
    void addressOfAnotherLengthIsMalformed() {
        assertThrows(NetlinkException.class, () -> Octets.fromHex("0a0100").toAddress());
    }

    @Test
    void textEndsAtItsNulOrItsEnd() {
        assertEquals("rr", Octets.fromHex("7272 00 41").toText());
        assertEquals("rr", Octets.fromHex("7272").toText());
    }

    @Test
    void nobodyCanChangeThem() {
        byte[] bytes = {1, 2};
        Octets octets = Octets.of(bytes);
        bytes[0] = 9;
        octets.toArray()[1] = 9;
        assertEquals(Octets.fromHex("0102"), octets);
    }
}
