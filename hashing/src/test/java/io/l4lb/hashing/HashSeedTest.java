// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class HashSeedTest {
    @Test
    void readsLittleEndianWords() {
        HashSeed seed = HashSeed.ofHex("000102030405060708090a0B0C0D0E0F");
        assertEquals(new HashSeed(0x0706050403020100L, 0x0f0e0d0c0b0a0908L), seed);
    }

    @Test
    void refusesOtherLengths() {
        assertThrows(IllegalArgumentException.class, () -> HashSeed.ofBytes(new byte[15]));
        assertThrows(IllegalArgumentException.class, () -> HashSeed.ofBytes(new byte[17]));
        assertThrows(IllegalArgumentException.class, () -> HashSeed.ofHex(""));
        assertThrows(IllegalArgumentException.class, () -> HashSeed.ofHex("00".repeat(17)));
    }

    @Test
    void refusesOtherDigitsWithoutRepeatingThem() {
        String nearly = "deadbeef".repeat(3) + "deadbeeg";
        Exception error = assertThrows(IllegalArgumentException.class, () -> HashSeed.ofHex(nearly));
        assertFalse(String.valueOf(error.getMessage()).contains("dead"), error.getMessage());
    }

    @Test
    void doesNotPrintTheSecret() {
        assertEquals("HashSeed[secret]", new HashSeed(11, 22).toString());
    }
}
