// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static io.l4lb.hashing.SchedulerContractTest.equal;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MaglevTableTest {
    private static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");
    private static final int SIZE = LookupTable.DEFAULT_SIZE;

    /** Golden tables: computed by a second implementation, in Python, that follows the class comment in time order. */
    @Test
    void goldenSmall() {
        LookupTable table = build(
                List.of(
                        new WeightedReal("10.0.0.1", 100),
                        new WeightedReal("10.0.0.2", 50),
                        new WeightedReal("10.0.0.3", 25)),
                23);
        assertArrayEquals(
                new int[] {0, 2, 0, 1, 0, 2, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 2, 1, 0}, table.slots());
        assertEquals(0xf213db36ed34a53aL, table.digest());
    }

    @Test
    void goldenEqual() {
        List<WeightedReal> reals = IntStream.rangeClosed(1, 5)
                .mapToObj(i -> new WeightedReal("10.0.0." + i, 100))
                .toList();
        LookupTable table = build(reals, SIZE);
        assertArrayEquals(new int[] {13108, 13108, 13107, 13107, 13107}, table.slotsPerReal());
        assertArrayEquals(new int[] {4, 0, 0, 1, 2, 1, 0, 1, 2, 3, 2, 2, 0, 3, 2, 3}, Arrays.copyOf(table.slots(), 16));
        assertEquals(0xf0d930d2cb06b6d3L, table.digest());
    }

    @Test
    void goldenHundredWeights() {
        List<WeightedReal> reals = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> new WeightedReal("2001:db8::" + i, i))
                .toList();
        assertEquals(0x15e5c389a77dca78L, build(reals, SIZE).digest());
    }

    @Property(tries = 300)
    void isTheAssignmentInOrderOfTime(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1) Integer> weights, @ForAll long k0) {
        List<WeightedReal> reals = IntStream.range(0, weights.size())
                .mapToObj(i -> new WeightedReal("real-" + (char) ('a' + i), weights.get(i)))
                .toList();
        HashSeed seed = new HashSeed(k0, 0);
        int[] slots = Scheduler.MAGLEV.build(reals, 251, seed).slots();
        assertArrayEquals(inOrderOfTime(reals, 251, seed), slots);
    }

    /** A real asks for a slot. */
    private record Request(double time, int real, int rank, int slot) {}

    /** The definition: all requests in order of time; a request is granted if slot and real are both wanting. */
    private static int[] inOrderOfTime(List<WeightedReal> reals, int size, HashSeed seed) {
        int[] missing = Apportionment.quotas(reals, size);
        PriorityQueue<Request> queue =
                new PriorityQueue<>(Comparator.comparingDouble(Request::time).thenComparingInt(Request::real));
        for (int real = 0; real < reals.size(); real++) {
            Permutation permutation = Permutation.of(reals.get(real).identity(), size, seed);
            int slot = permutation.offset();
            for (int rank = 1; rank <= size; rank++) {
                double time = -StrictMath.log((size - rank + 0.5) / size);
                queue.add(new Request(time / reals.get(real).weight(), real, rank, slot));
                slot = permutation.after(slot);
            }
        }
        int[] slots = new int[size];
        Arrays.fill(slots, LookupTable.NO_REAL);
        for (Request request = queue.poll(); request != null; request = queue.poll()) {
            if (slots[request.slot()] == LookupTable.NO_REAL && missing[request.real()] > 0) {
                slots[request.slot()] = request.real();
                missing[request.real()]--;
            }
        }
        return slots;
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
            assertEquals(share, counts[i], share / 100, reals.get(i).identity());
        }
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
    void sizesFromTheSmallestToTheLargest() {
        assertArrayEquals(new int[] {1, 1}, build(equal(2, 5), 2).slotsPerReal());
        assertArrayEquals(new int[] {2, 1}, build(equal(2, 5), 3).slotsPerReal());
        int[] counts = build(equal(3, 5), LookupTable.MAX_SIZE).slotsPerReal();
        assertArrayEquals(new int[] {1666671, 1666670, 1666670}, counts);
    }

    @Test
    void leavingAndJoiningMoveLittleMoreThanTheRealsOwnSlots() {
        for (int count : new int[] {3, 10, 100, 1000}) {
            List<WeightedReal> all = equal(count, 100);
            LookupTable with = build(all, SIZE);
            LookupTable without = build(all.subList(1, count), SIZE);
            assertExtraAtMost(SIZE / 200, with, without, "a real of " + count + " leaves");
            assertEquals(with.moved(without), without.moved(with));
        }
    }

    @Test
    void aSmallChangeOfWeightMovesLittle() {
        for (int count : new int[] {3, 10, 100, 1000}) {
            LookupTable before = build(equal(count, 100), SIZE);
            for (int weight : new int[] {99, 101}) {
                LookupTable after = build(withFirst(count, weight), SIZE);
                assertExtraAtMost(SIZE / 1000, before, after, "one of " + count + " to weight " + weight);
            }
            LookupTable half = build(withFirst(count, 50), SIZE);
            assertExtraAtMost(SIZE / 200, before, half, "one of " + count + " to half its weight");
        }
    }

    @Test
    void aCommonFactorOfAllWeightsMovesNothing() {
        List<WeightedReal> doubled = geometric().subList(0, 20).stream()
                .map(real -> new WeightedReal(real.identity(), 2 * real.weight()))
                .toList();
        assertEquals(0, build(geometric().subList(0, 20), SIZE).moved(build(doubled, SIZE)));
    }

    /** Moved slots beyond the fewest that can turn the one distribution into the other. */
    private static void assertExtraAtMost(int most, LookupTable before, LookupTable after, String what) {
        int fewest = 0;
        for (int i = 0; i < before.reals().size(); i++) {
            int now = after.reals().indexOf(before.reals().get(i));
            if (now < 0) {
                String identity = before.reals().get(i).identity();
                now = after.reals().stream()
                        .map(WeightedReal::identity)
                        .toList()
                        .indexOf(identity);
            }
            int slotsNow = now < 0 ? 0 : after.slotsPerReal()[now];
            fewest += Math.max(0, before.slotsPerReal()[i] - slotsNow);
        }
        int extra = before.moved(after) - fewest;
        assertTrue(extra >= 0 && extra <= most, what + ": " + extra + " slots moved beyond the " + fewest);
    }

    private static List<WeightedReal> withFirst(int count, int weight) {
        List<WeightedReal> reals = new ArrayList<>(equal(count, 100));
        reals.set(0, new WeightedReal(reals.get(0).identity(), weight));
        return reals;
    }

    private static LookupTable build(List<WeightedReal> reals, int size) {
        return Scheduler.MAGLEV.build(reals, size, SEED);
    }
}
