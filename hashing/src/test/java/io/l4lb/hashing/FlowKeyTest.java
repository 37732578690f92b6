// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FlowKeyTest {
    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");

    /** 192.0.2.1:50000 to 198.51.100.7:443, TCP; written by hand from struct flow_key in l4lb.h. */
    private static final String TCP4 =
            "00000000000000000000ffffc0000201" + "00000000000000000000ffffc6336407" + "c350" + "01bb" + "06" + "000000";

    /** [2001:db8::1]:50000 to [2001:db8:ffff::7]:53, UDP; written by hand from struct flow_key in l4lb.h. */
    private static final String UDP6 =
            "20010db8000000000000000000000001" + "20010db8ffff00000000000000000007" + "c350" + "0035" + "11" + "000000";

    @Test
    void encodesIpv4Mapped() {
        FlowKey key = new FlowKey(address("192.0.2.1"), 50000, address("198.51.100.7"), 443, 6);
        assertEquals(TCP4, HexFormat.of().formatHex(key.encode()));
        assertEquals(key, FlowKey.decode(HexFormat.of().parseHex(TCP4)));
    }

    @Test
    void encodesIpv6() {
        FlowKey key = new FlowKey(address("2001:db8::1"), 50000, address("2001:db8:ffff::7"), 53, 17);
        assertEquals(UDP6, HexFormat.of().formatHex(key.encode()));
        assertEquals(key, FlowKey.decode(HexFormat.of().parseHex(UDP6)));
    }

    /** The hashes were computed by a second implementation, in Python, over the golden bytes. */
    @Test
    void hashesTheEncodedBytes() {
        assertEquals(
                0x1ac9853c29601b16L,
                FlowKey.decode(HexFormat.of().parseHex(TCP4)).hash(SEED));
        assertEquals(
                0x18359ec1c749e585L,
                FlowKey.decode(HexFormat.of().parseHex(UDP6)).hash(SEED));
    }

    @Property
    void everyFlowSurvivesTheRoundTrip(
            @ForAll @Size(4) byte[] source4,
            @ForAll @Size(16) byte[] source6,
            @ForAll boolean six,
            @ForAll @IntRange(max = 65535) int sourcePort,
            @ForAll @IntRange(max = 65535) int vipPort,
            @ForAll @IntRange(max = 255) int protocol) {
        source6[0] = 0x20; // not a mapped address
        byte[] source = six ? source6 : source4;
        InetAddress vip = address(six ? "2001:db8::1" : "192.0.2.1");
        FlowKey key = new FlowKey(address(source), sourcePort, vip, vipPort, protocol);
        assertEquals(FlowKey.BYTES, key.encode().length);
        assertEquals(key, FlowKey.decode(key.encode()));
    }

    @Property
    void decodingAnythingGivesTheSameBytesOrIsRefused(@ForAll @Size(max = 64) byte[] bytes) {
        FlowKey key;
        try {
            key = FlowKey.decode(bytes);
        } catch (IllegalArgumentException refused) {
            return;
        }
        assertArrayEquals(bytes, key.encode());
    }

    @Test
    void refusesWhatIsNotAFlowKey() {
        assertThrows(IllegalArgumentException.class, () -> FlowKey.decode(new byte[39]));
        assertThrows(IllegalArgumentException.class, () -> FlowKey.decode(new byte[41]));
        for (int pad = 37; pad < 40; pad++) {
            byte[] bytes = HexFormat.of().parseHex(TCP4);
            bytes[pad] = 1;
            assertThrows(IllegalArgumentException.class, () -> FlowKey.decode(bytes));
        }
        byte[] twoFamilies = HexFormat.of().parseHex(TCP4);
        twoFamilies[0] = 0x20;
        assertThrows(IllegalArgumentException.class, () -> FlowKey.decode(twoFamilies));
    }

    @Test
    void refusesValuesOutOfRange() {
        InetAddress four = address("192.0.2.1");
        InetAddress six = address("2001:db8::1");
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 1, six, 1, 6));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, -1, four, 1, 6));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 65536, four, 1, 6));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 1, four, -1, 6));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 1, four, 65536, 6));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 1, four, 1, -1));
        assertThrows(IllegalArgumentException.class, () -> new FlowKey(four, 1, four, 1, 256));
    }

    @Test
    void aMappedAddressIsTheIpv4Address() throws UnknownHostException {
        byte[] mapped = HexFormat.of().parseHex("00000000000000000000ffffc0000201");
        InetAddress asSix = Inet6Address.getByAddress("client.example", mapped, -1);
        InetAddress vip = address("198.51.100.7");
        assertEquals(new FlowKey(address("192.0.2.1"), 1, vip, 2, 6), new FlowKey(asSix, 1, vip, 2, 6));
    }

    @Test
    void aScopeIsNotPartOfTheFlow() throws UnknownHostException {
        byte[] linkLocal = HexFormat.of().parseHex("fe800000000000000000000000000001");
        FlowKey scoped = new FlowKey(Inet6Address.getByAddress("", linkLocal, 3), 1, address("fe80::2"), 2, 6);
        assertEquals(scoped, FlowKey.decode(scoped.encode()));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
