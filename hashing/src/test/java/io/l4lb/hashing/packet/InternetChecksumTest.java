// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InternetChecksumTest {
    /** The example of RFC 1071, section 3: the sum is ddf2. */
    @Test
    void exampleOfTheStandard() {
        byte[] bytes = HexFormat.of().parseHex("0001f203f4f5f6f7");
        assertEquals(0xffff - 0xddf2, InternetChecksum.of(bytes, 0, bytes.length, 0));
    }

    @Test
    void anOddByteIsTheUpperHalfOfAWord() {
        byte[] odd = HexFormat.of().parseHex("0001f2");
        byte[] even = HexFormat.of().parseHex("0001f200");
        assertEquals(InternetChecksum.of(even, 0, 4, 0), InternetChecksum.of(odd, 0, 3, 0));
    }

    /** The example of RFC 1624, section 4: equation 3 gives 0000 where equation 2 gave ffff. */
    @Test
    void exampleOfMending() {
        byte[] checksum = HexFormat.of().parseHex("dd2f");
        InternetChecksum.mend(checksum, 0, 0x5555, 0x3285);
        assertArrayEquals(HexFormat.of().parseHex("0000"), checksum);
    }

    /** What {@code ipv4_decrement_ttl} of the C program does, for every checksum. */
    @Test
    void decrementingTheTtlIsWhatTheProgramDoes() {
        for (int check = 0; check <= 0xffff; check++) {
            byte[] bytes = new byte[2];
            NetworkOrder.put16(bytes, 0, check);
            InternetChecksum.mend(bytes, 0, 0x4006, 0x3f06);
            int sum = check + 0x0100;
            assertEquals((sum + (sum >= 0xffff ? 1 : 0)) & 0xffff, NetworkOrder.u16(bytes, 0));
        }
    }

    @Property
    void mendingIsComputingAnew(
            @ForAll @Size(20) byte[] bytes, @ForAll @IntRange(min = 1, max = 8) int word, @ForAll short after) {
        bytes[0] = 1; // a sum of zero has two forms
        NetworkOrder.put16(bytes, 18, 0);
        NetworkOrder.put16(bytes, 18, InternetChecksum.of(bytes, 0, 20, 0));
        int before = NetworkOrder.u16(bytes, 2 * word);
        NetworkOrder.put16(bytes, 2 * word, after);
        InternetChecksum.mend(bytes, 18, before, after);
        assertEquals(0, InternetChecksum.of(bytes, 0, 20, 0));
    }
}
