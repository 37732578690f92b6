// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the agent relies on, whichever scheduler a service has. */
class SchedulerContractTest {
    private static final HashSeed SEED = new HashSeed(1, 2);
    private static final int SIZE = 4093;

    @Property(tries = 200)
    void isAFunctionOfTheSetOfReals(
            @ForAll Scheduler scheduler, @ForAll("reals") List<WeightedReal> reals, @ForAll long shuffle) {
        List<WeightedReal> shuffled = new ArrayList<>(reals);
        Collections.shuffle(shuffled, new Random(shuffle));
        LookupTable table = scheduler.build(reals, SIZE, SEED);
        LookupTable other = scheduler.build(shuffled, SIZE, SEED);
        assertEquals(table, other);
        assertEquals(table.digest(), other.digest());
    }

    @Property(tries = 200)
    void leavesNoSlotEmptyAndGivesNoneToADrainedReal(
            @ForAll Scheduler scheduler, @ForAll("reals") List<WeightedReal> reals) {
        LookupTable table = scheduler.build(reals, SIZE, SEED);
        int[] counts = table.slotsPerReal();
        boolean anyActive = reals.stream().anyMatch(real -> real.weight() > 0);
        assertEquals(anyActive ? SIZE : 0, Arrays.stream(counts).sum());
        for (int i = 0; i < counts.length; i++) {
            assertTrue(
                    table.reals().get(i).weight() > 0 || counts[i] == 0,
                    table.reals().get(i) + ": " + counts[i]);
        }
    }

    @Property(tries = 200)
    void drainIsTheSameAsLeavingAndRestoreBringsTheTableBack(
            @ForAll Scheduler scheduler, @ForAll("reals") List<WeightedReal> reals) {
        if (reals.isEmpty()) {
            return;
        }
        WeightedReal victim = reals.get(0);
        List<WeightedReal> drained = new ArrayList<>(reals);
        drained.set(0, new WeightedReal(victim.identity(), 0));
        LookupTable whole = scheduler.build(reals, SIZE, SEED);
        LookupTable without = scheduler.build(reals.subList(1, reals.size()), SIZE, SEED);
        LookupTable asDrained = scheduler.build(drained, SIZE, SEED);
        assertEquals(0, asDrained.moved(without));
        assertEquals(without.digest(), asDrained.digest());
        drained.set(0, victim);
        assertEquals(whole, scheduler.build(drained, SIZE, SEED));
    }

    @ParameterizedTest
    @EnumSource
    void listsTheRealsByIdentity(Scheduler scheduler) {
        LookupTable table = scheduler.build(
                List.of(new WeightedReal("b", 0), new WeightedReal("c", 1), new WeightedReal("a", 1)), 7, SEED);
        assertEquals(
                List.of(new WeightedReal("a", 1), new WeightedReal("b", 0), new WeightedReal("c", 1)), table.reals());
    }

    @ParameterizedTest
    @EnumSource
    void namesNobodyWithoutActiveReals(Scheduler scheduler) {
        int[] nobody = {-1, -1, -1, -1, -1};
        assertArrayEquals(nobody, scheduler.build(List.of(), 5, SEED).slots());
        List<WeightedReal> drained = List.of(new WeightedReal("a", 0), new WeightedReal("b", 0));
        assertArrayEquals(nobody, scheduler.build(drained, 5, SEED).slots());
        assertTrue(scheduler.build(drained, 5, SEED).realOf(42).isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void givesTheOnlyRealEverything(Scheduler scheduler) {
        LookupTable table = scheduler.build(List.of(new WeightedReal("a", 0), new WeightedReal("b", 3)), SIZE, SEED);
        assertArrayEquals(new int[] {0, SIZE}, table.slotsPerReal());
    }

    @ParameterizedTest
    @EnumSource
    void worksWithMoreRealsThanSlots(Scheduler scheduler) {
        LookupTable table = scheduler.build(equal(20, 1), 7, SEED);
        assertEquals(7, Arrays.stream(table.slotsPerReal()).sum());
        assertEquals(20, table.reals().size());
        int[] slots = scheduler.build(equal(5, 9), 2, SEED).slots();
        assertTrue(Arrays.stream(slots).allMatch(real -> real >= 0 && real < 5), Arrays.toString(slots));
    }

    @ParameterizedTest
    @EnumSource
    void endsWithAbsurdWeights(Scheduler scheduler) {
        List<WeightedReal> reals = new ArrayList<>(equal(1000, 1));
        reals.add(new WeightedReal("giant", Integer.MAX_VALUE));
        LookupTable table = scheduler.build(reals, 65537, SEED);
        int giants = table.slotsPerReal()[table.reals().indexOf(new WeightedReal("giant", Integer.MAX_VALUE))];
        assertTrue(giants >= 65537 - 1000, "the giant has " + giants);
        List<WeightedReal> doubling = new ArrayList<>();
        List<WeightedReal> giants1000 = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            doubling.add(new WeightedReal("real-" + i, 1 << i));
        }
        for (int i = 0; i < 1000; i++) {
            giants1000.add(new WeightedReal("real-" + i, i == 500 ? 1 : Integer.MAX_VALUE - i));
        }
        assertEquals(
                SIZE,
                Arrays.stream(scheduler.build(doubling, SIZE, SEED).slotsPerReal())
                        .sum());
        assertEquals(
                SIZE,
                Arrays.stream(scheduler.build(giants1000, SIZE, SEED).slotsPerReal())
                        .sum());
    }

    @ParameterizedTest
    @EnumSource
    void worksAtTheSmallestAndTheLargestSize(Scheduler scheduler) {
        assertEquals(2, scheduler.build(equal(3, 1), 2, SEED).size());
        int[] counts = scheduler.build(equal(3, 1), LookupTable.MAX_SIZE, SEED).slotsPerReal();
        assertEquals(LookupTable.MAX_SIZE, Arrays.stream(counts).sum());
        for (int count : counts) {
            assertEquals(LookupTable.MAX_SIZE / 3.0, count, LookupTable.MAX_SIZE / 10.0);
        }
    }

    @Property(tries = 50)
    void slotsAreInProportionToWeights(@ForAll Scheduler scheduler, @ForAll long k0) {
        List<WeightedReal> reals = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            reals.add(new WeightedReal("real-" + (10 + i), 100 + 10 * i));
            sum += 100 + 10 * i;
        }
        int[] counts = scheduler.build(reals, 65537, new HashSeed(k0, 1)).slotsPerReal();
        for (int i = 0; i < counts.length; i++) {
            double share = 65537 * reals.get(i).weight() / sum;
            // Ketama has the widest spread: 180 points a real or so, whose number is a standard deviation of 7.5 %.
            assertEquals(share, counts[i], 0.45 * share, reals.get(i).identity());
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesSizesThatAreNotPrimeAndRealsGivenTwice(Scheduler scheduler) {
        for (int size : new int[] {-7, 0, 1, 4, 65536, 5_000_012, Integer.MAX_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> scheduler.build(equal(2, 1), size, SEED));
        }
        List<WeightedReal> twice = List.of(new WeightedReal("a", 1), new WeightedReal("a", 2));
        assertThrows(IllegalArgumentException.class, () -> scheduler.build(twice, 7, SEED));
        List<WeightedReal> twiceDrained = List.of(new WeightedReal("a", 0), new WeightedReal("a", 0));
        assertThrows(IllegalArgumentException.class, () -> scheduler.build(twiceDrained, 7, SEED));
    }

    @ParameterizedTest
    @EnumSource
    void anotherSeedIsAnotherTable(Scheduler scheduler) {
        LookupTable table = scheduler.build(equal(10, 1), SIZE, SEED);
        LookupTable other = scheduler.build(equal(10, 1), SIZE, new HashSeed(1, 3));
        assertTrue(table.moved(other) > SIZE / 2, "moved " + table.moved(other));
    }

    static List<WeightedReal> equal(int count, int weight) {
        List<WeightedReal> reals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            reals.add(new WeightedReal("10.0." + i / 250 + "." + i % 250, weight));
        }
        return reals;
    }

    @Provide
    Arbitrary<List<WeightedReal>> reals() {
        Arbitrary<String> identities = Arbitraries.strings().ofMinLength(1).ofMaxLength(20);
        Arbitrary<Integer> weights = Arbitraries.oneOf(
                Arbitraries.just(0),
                Arbitraries.integers().between(1, 1000),
                Arbitraries.integers().greaterOrEqual(0));
        return Combinators.combine(identities, weights)
                .as(WeightedReal::new)
                .list()
                .ofMaxSize(30)
                .uniqueElements(WeightedReal::identity);
    }
}
