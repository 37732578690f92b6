// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static io.l4lb.hashing.SchedulerContractTest.equal;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How many slots move when the reals change, against how many have to: means over seeds and reals, all fixed, so that each
 * figure is always the same.
 */
class DisruptionTest {
    private static final int SIZE = LookupTable.DEFAULT_SIZE;
    private static final int COUNT = 100;
    private static final List<HashSeed> SEEDS =
            IntStream.range(0, 5).mapToObj(i -> new HashSeed(7919L * i, i)).toList();

    /** One real's share of the slots goes from w / W to (w + d) / (W + d). */
    private static double unavoidable(int weight) {
        return Math.abs(SIZE * (weight / (COUNT * 100.0 - 100 + weight) - 1.0 / COUNT));
    }

    @ParameterizedTest
    @CsvSource({"MAGLEV,101,3", "MAGLEV,99,3", "MAGLEV,150,1.5", "MAGLEV,50,1.5"})
    @CsvSource({"KETAMA,101,1.6", "KETAMA,99,1.6", "KETAMA,150,1.1", "KETAMA,50,1.1"})
    @CsvSource({"RENDEZVOUS,101,1.3", "RENDEZVOUS,99,1.3", "RENDEZVOUS,150,1.1", "RENDEZVOUS,50,1.1"})
    void aChangedWeightMovesLittleMoreThanItMust(Scheduler scheduler, int weight, double most) {
        double moved = 0;
        for (HashSeed seed : SEEDS) {
            LookupTable before = scheduler.build(equal(COUNT, 100), SIZE, seed);
            for (int real = 0; real < COUNT; real += 5) {
                moved += before.moved(scheduler.build(with(real, weight), SIZE, seed)) / 100.0;
            }
        }
        double ratio = moved / unavoidable(weight);
        assertTrue(ratio <= most, scheduler + " to weight " + weight + ": " + ratio + " times the unavoidable");
        assertTrue(ratio >= 0.5, "moved too few to be true: " + ratio);
    }

    @ParameterizedTest
    @EnumSource
    void aRealThatLeavesMovesLittleBeyondItsOwnSlots(Scheduler scheduler) {
        for (HashSeed seed : SEEDS) {
            LookupTable before = scheduler.build(equal(COUNT, 100), SIZE, seed);
            List<WeightedReal> left = new ArrayList<>(equal(COUNT, 100));
            left.remove(7);
            LookupTable after = scheduler.build(left, SIZE, seed);
            int own = before.slotsPerReal()[
                    before.reals().indexOf(equal(COUNT, 100).get(7))];
            int beyond = before.moved(after) - own;
            assertTrue(beyond >= 0, "its own slots have to move");
            assertTrue(beyond <= (scheduler == Scheduler.MAGLEV ? own / 2 : 0), beyond + " beyond its " + own);
            assertEquals(before.moved(after), after.moved(before));
        }
    }

    /** In the order of reals, so that a real that comes first or last counts as well. */
    @ParameterizedTest
    @EnumSource
    void whoTradesSlots(Scheduler scheduler) {
        if (scheduler == Scheduler.MAGLEV) {
            return; // its bounds make others trade, as the figures above allow
        }
        LookupTable before = scheduler.build(equal(COUNT, 100), SIZE, SEEDS.get(0));
        LookupTable after = scheduler.build(with(42, 130), SIZE, SEEDS.get(0));
        String changed = equal(COUNT, 100).get(42).identity();
        for (int slot = 0; slot < SIZE; slot++) {
            String was = before.reals().get(before.slot(slot)).identity();
            String is = after.reals().get(after.slot(slot)).identity();
            assertTrue(was.equals(is) || is.equals(changed), "slot " + slot + " went from " + was + " to " + is);
        }
        int gained = Arrays.stream(after.slots())
                .map(i -> after.reals().get(i).identity().equals(changed) ? 1 : 0)
                .sum();
        assertTrue(gained > SIZE / COUNT);
    }

    /** Whatever the weights: whoever keeps its weight keeps its slots when another leaves. */
    @Property(tries = 100)
    void withRendezvousOnlyTheLeaversSlotsMove(
            @ForAll @Size(min = 2, max = 30) List<@IntRange(min = 1, max = 65535) Integer> weights, @ForAll long k0) {
        List<WeightedReal> reals = MaglevTableTest.named(weights);
        HashSeed seed = new HashSeed(k0, 5);
        LookupTable before = Scheduler.RENDEZVOUS.build(reals, 4093, seed);
        LookupTable after = Scheduler.RENDEZVOUS.build(reals.subList(1, reals.size()), 4093, seed);
        assertEquals(before.slotsPerReal()[0], before.moved(after));
    }

    /** The same on the ring while the median weight keeps its order of magnitude. */
    @Property(tries = 100)
    void withKetamaOnlyTheLeaversSlotsMove(
            @ForAll @Size(min = 2, max = 30) List<@IntRange(min = 64, max = 127) Integer> weights, @ForAll long k0) {
        List<WeightedReal> reals = MaglevTableTest.named(weights);
        HashSeed seed = new HashSeed(k0, 6);
        LookupTable before = Scheduler.KETAMA.build(reals, 4093, seed);
        LookupTable after = Scheduler.KETAMA.build(reals.subList(1, reals.size()), 4093, seed);
        assertEquals(before.slotsPerReal()[0], before.moved(after));
    }

    private static List<WeightedReal> with(int real, int weight) {
        List<WeightedReal> reals = new ArrayList<>(equal(COUNT, 100));
        reals.set(real, new WeightedReal(reals.get(real).identity(), weight));
        return reals;
    }
}
