// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Full avalanche of the flow hash: each of the 320 bits of a flow key flips each bit of the output for about half of
 * the keys.
 *
 * <p>Where the bounds come from: of n independent keys, a bit of a random function flips for X of them, X binomial with
 * n trials of probability 1/2. By Hoeffding's inequality |X - n/2| >= t has a probability of at most 2 exp(-2 t^2 / n).
 * With t = sqrt(n ln(2 C / p) / 2) a random function exceeds the bound in any of C counts with a probability of at most
 * p, here 10^-9. All keys come of a fixed seed, so the outcome is the same in every run.
 */
class HashAvalancheTest {
    private static final int KEYS = 4096;
    private static final double CHANCE = 1e-9;

    /** Bits of a slot of 65537: sixteen, and one more that only the slot 65536 has. */
    private static final int SLOT_BITS = 16;
    /** That slot is why the others' bits flip with a probability that is off 1/2, by less than this. */
    private static final double SLOT_BIAS = 2.0 / 65537;

    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");
    private static final byte[] IPV4 = HexFormat.of()
            .parseHex("00000000000000000000ffff0a000000" + "00000000000000000000ffffc6336407" + "000001bb06000000");

    @Test
    void everyInputBitFlipsEveryOutputBitOfRandomKeys() {
        assertAvalanche(flips(key -> SipHash.hash13(SEED, key), Long.SIZE, Random::nextBytes), 0);
    }

    @Test
    void everyInputBitFlipsEveryOutputBitOfIpv4ClientsOfOneService() {
        assertAvalanche(flips(key -> SipHash.hash13(SEED, key), Long.SIZE, HashAvalancheTest::ipv4Client), 0);
    }

    @Test
    void everyInputBitFlipsEveryBitOfTheSlot() {
        ToLongFunction<byte[]> slot = key -> LookupTable.slotOf(SipHash.hash13(SEED, key), LookupTable.DEFAULT_SIZE);
        assertAvalanche(flips(slot, SLOT_BITS, Random::nextBytes), SLOT_BIAS);
        assertAvalanche(flips(slot, SLOT_BITS, HashAvalancheTest::ipv4Client), SLOT_BIAS);
    }

    /** The seed is an input like the key: two seeds that differ in one bit have nothing in common. */
    @Test
    void everyBitOfTheSeedFlipsEveryOutputBit() {
        byte[] flow = IPV4.clone();
        ToLongFunction<byte[]> bySeed = seed -> SipHash.hash13(HashSeed.ofBytes(seed), flow);
        assertAvalanche(flips(bySeed, Long.SIZE, HashSeed.BYTES, Random::nextBytes), 0);
    }

    @ParameterizedTest
    @EnumSource
    void aWeakHashIsSeen(WeakHash weak) {
        int[][] flips = flips(weak, Long.SIZE, Random::nextBytes);
        assertTrue(beyond(flips, 0) > 0, weak + " passes");
    }

    /** What the check counts: a hash that ignores one bit of 320 fails in exactly that bit's 64 counts. */
    @Test
    void oneBitThatDoesNotMatterIsSeen() {
        ToLongFunction<byte[]> blind = key -> {
            byte[] copy = key.clone();
            copy[17] &= (byte) 0xef;
            return SipHash.hash13(SEED, copy);
        };
        assertEquals(Long.SIZE, beyond(flips(blind, Long.SIZE, Random::nextBytes), 0));
    }

    /** Fills a key with the next that is looked at. */
    private interface KeySource {
        void next(Random random, byte[] key);
    }

    /** A key as most are: all of it is the same but 24 bits of the address and the source port. */
    private static void ipv4Client(Random random, byte[] key) {
        System.arraycopy(IPV4, 0, key, 0, key.length);
        ByteBuffer.wrap(key).putInt(12, (10 << 24) | random.nextInt(1 << 24)).putShort(32, (short) random.nextInt());
    }

    private static void assertAvalanche(int[][] flips, double bias) {
        assertEquals(0, beyond(flips, bias), () -> "bits beyond the bound; " + extremes(flips));
    }

    /** How many of the counts are farther from half of the keys than chance allows. */
    private static int beyond(int[][] flips, double bias) {
        double counts = (double) flips.length * flips[0].length;
        double bound = Math.sqrt(KEYS * Math.log(2 * counts / CHANCE) / 2) + KEYS * bias;
        int beyond = 0;
        for (int[] ofOneInputBit : flips) {
            for (int count : ofOneInputBit) {
                if (Math.abs(count - KEYS / 2.0) > bound) {
                    beyond++;
                }
            }
        }
        return beyond;
    }

    private static String extremes(int[][] flips) {
        int least = KEYS;
        int most = 0;
        for (int[] ofOneInputBit : flips) {
            for (int count : ofOneInputBit) {
                least = Math.min(least, count);
                most = Math.max(most, count);
            }
        }
        return String.format("flips from %.4f to %.4f", (double) least / KEYS, (double) most / KEYS);
    }

    private static int[][] flips(ToLongFunction<byte[]> hash, int outputBits, KeySource keys) {
        return flips(hash, outputBits, FlowKey.BYTES, keys);
    }

    /** For each input bit and each output bit, for how many keys the one flips the other. */
    private static int[][] flips(ToLongFunction<byte[]> hash, int outputBits, int bytes, KeySource keys) {
        Random random = new Random(1);
        int[][] flips = new int[bytes * 8][outputBits];
        byte[] key = new byte[bytes];
        for (int i = 0; i < KEYS; i++) {
            keys.next(random, key);
            long before = hash.applyAsLong(key);
            for (int bit = 0; bit < flips.length; bit++) {
                key[bit / 8] ^= (byte) (1 << (bit % 8));
                long changed = before ^ hash.applyAsLong(key);
                key[bit / 8] ^= (byte) (1 << (bit % 8));
                for (int out = 0; out < outputBits; out++) {
                    flips[bit][out] += (int) ((changed >>> out) & 1);
                }
            }
        }
        return flips;
    }
}
