// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static io.l4lb.hashing.SchedulerContractTest.equal;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MaglevTableTest {
    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");
    private static final int SIZE = LookupTable.DEFAULT_SIZE;

    @Property(tries = 300)
    void isTheAssignmentInOrderOfTime(
            @ForAll @Size(min = 1, max = 40) List<@IntRange(min = 1) Integer> weights, @ForAll long k0) {
        HashSeed seed = new HashSeed(k0, 0);
        List<WeightedReal> reals = named(weights);
        assertArrayEquals(
                new MaglevByDefinition(reals, 251, seed).fill(),
                Scheduler.MAGLEV.build(reals, 251, seed).slots());
    }

    @Test
    void slotsAreInProportionToWeights() {
        List<WeightedReal> reals = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            reals.add(new WeightedReal("real-" + (100 + i), 50 + i));
        }
        LookupTable table = build(reals, SIZE);
        double sum = reals.stream().mapToInt(WeightedReal::weight).sum();
        int[] counts = table.slotsPerReal();
        for (int i = 0; i < counts.length; i++) {
            double share = SIZE * reals.get(i).weight() / sum;
            assertTrue(counts[i] <= 1.02 * share, counts[i] + " slots for a share of " + share);
            assertTrue(counts[i] >= 0.8 * share - 1, counts[i] + " slots for a share of " + share);
        }
    }

    @Property(tries = 200)
    void sharesAreWithinTheirBounds(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 1, max = 1000) Integer> weights, @ForAll long k1) {
        int size = 4093;
        LookupTable table = Scheduler.MAGLEV.build(named(weights), size, new HashSeed(0, k1));
        double sum = weights.stream().mapToLong(Integer::longValue).sum();
        int[] counts = table.slotsPerReal();
        for (int i = 0; i < counts.length; i++) {
            double share = size * table.reals().get(i).weight() / sum;
            assertTrue(counts[i] <= Math.max(Math.ceil(share), 1.02 * share), counts[i] + " for " + share);
            assertTrue(counts[i] >= Math.max(1, Math.floor(0.8 * share)), counts[i] + " for " + share);
        }
    }

    static List<WeightedReal> named(List<Integer> weights) {
        return IntStream.range(0, weights.size())
                .mapToObj(i -> new WeightedReal("real-" + (100 + i), weights.get(i)))
                .toList();
    }

    @Test
    void absurdWeightsEnd() {
        List<WeightedReal> reals = new ArrayList<>(equal(1000, 1));
        reals.add(new WeightedReal("giant", Integer.MAX_VALUE));
        int[] counts = build(reals, SIZE).slotsPerReal();
        assertEquals(SIZE - 1000, Arrays.stream(counts).max().orElseThrow());
        assertEquals(1, Arrays.stream(counts).min().orElseThrow());
        assertEquals(
                SIZE, Arrays.stream(build(geometric(), SIZE).slotsPerReal()).sum());
    }

    /** Each weight twice the one before. */
    private static List<WeightedReal> geometric() {
        return IntStream.range(0, 31)
                .mapToObj(i -> new WeightedReal("real-" + (100 + i), 1 << i))
                .toList();
    }

    @Test
    void withAsManyRealsAsSlotsOrMoreTheHeaviestHaveOneEach() {
        List<WeightedReal> reals = IntStream.range(0, 20)
                .mapToObj(i -> new WeightedReal("real-" + (100 + i), i < 7 ? 5 : 2))
                .toList();
        int[] counts = build(reals, 7).slotsPerReal();
        assertArrayEquals(IntStream.range(0, 20).map(i -> i < 7 ? 1 : 0).toArray(), counts);
        assertArrayEquals(
                IntStream.generate(() -> 1).limit(251).toArray(),
                build(equal(251, 3), 251).slotsPerReal());
    }

    @Test
    void sizesFromTheSmallestToTheLargest() {
        assertArrayEquals(new int[] {1, 1}, build(equal(2, 5), 2).slotsPerReal());
        assertEquals(3, Arrays.stream(build(equal(2, 5), 3).slotsPerReal()).sum());
        int[] counts = build(equal(3, 5), LookupTable.MAX_SIZE).slotsPerReal();
        assertEquals(LookupTable.MAX_SIZE, Arrays.stream(counts).sum());
        assertTrue(Arrays.stream(counts).max().orElseThrow() <= 1_700_004, Arrays.toString(counts));
    }

    @Test
    void aCommonFactorOfAllWeightsMovesNothing() {
        List<WeightedReal> doubled = geometric().subList(0, 20).stream()
                .map(real -> new WeightedReal(real.identity(), 2 * real.weight()))
                .toList();
        assertEquals(0, build(geometric().subList(0, 20), SIZE).moved(build(doubled, SIZE)));
    }

    private static LookupTable build(List<WeightedReal> reals, int size) {
        return Scheduler.MAGLEV.build(reals, size, SEED);
    }
}
