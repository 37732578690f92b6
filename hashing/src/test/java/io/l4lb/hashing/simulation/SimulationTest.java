// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for the tables of every scheduler. */
class SimulationTest {
    private static final HashSeed SEED = new HashSeed(1, 2);
    private static final int SIZE = 1009;
    private static final double ROUNDING = 1e-6;

    private static Simulation simulation(List<WeightedReal> reals) {
        return new Simulation(reals, SIZE, SEED, 1.1, 16);
    }

    private static List<WeightedReal> weighted(List<Integer> weights) {
        return IntStream.range(0, weights.size())
                .mapToObj(i -> new WeightedReal("10.0.0." + i, weights.get(i)))
                .toList();
    }

    private static Disruption disruption(SimulationResult result, Event event) {
        return result.disruption(event).orElseThrow();
    }

    @Property(tries = 60)
    void isAsGoodAsTheTablesThemselves(@ForAll Scheduler scheduler, @ForAll("weights") List<Integer> weights) {
        List<WeightedReal> reals = weighted(weights);
        LookupTable table = scheduler.build(reals, SIZE, SEED);
        int[] counts = table.slotsPerReal();
        SimulationResult result = simulation(reals).run(scheduler);
        assertEquals(Balance.of(table), result.balance());

        long moved = 0;
        int trials = 0;
        for (WeightedReal gone : reals) {
            if (gone.weight() > 0) {
                List<WeightedReal> left = new ArrayList<>(reals);
                left.remove(gone);
                int its = table.moved(scheduler.build(left, SIZE, SEED));
                assertTrue(its >= counts[table.reals().indexOf(gone)], "its own slots move at least");
                moved += its;
                trials++;
            }
        }
        if (trials > 0) {
            Disruption leave = disruption(result, Event.LEAVE);
            assertEquals(trials, leave.trials());
            assertEquals((double) moved / trials, leave.moved(), ROUNDING);
            assertEquals((double) SIZE / trials, leave.unavoidable(), ROUNDING);
        }
    }

    @Property(tries = 60)
    void figuresFitTogether(@ForAll Scheduler scheduler, @ForAll("weights") List<Integer> weights) {
        List<WeightedReal> reals = weighted(weights);
        long active = weights.stream().filter(weight -> weight > 0).count();
        SimulationResult result = simulation(reals).run(scheduler);
        for (Disruption each : result.disruptions()) {
            assertTrue(each.trials() >= 1 && each.trials() <= 16, each.toString());
            assertTrue(0 <= each.moved() && each.moved() <= each.worstMoved(), each.toString());
            assertTrue(each.worstMoved() <= SIZE, each.toString());
            assertTrue(0 <= each.unavoidable() && each.unavoidable() <= SIZE + ROUNDING, each.toString());
            assertTrue(each.maxOverAverage() >= (named(each.event(), active) ? 1 - ROUNDING : 0), each.toString());
        }
        assertEquals(active >= 1, result.disruption(Event.LEAVE).isPresent());
        assertTrue(result.disruption(Event.JOIN).isPresent());
        assertEquals(active >= 1, result.disruption(Event.REWEIGHT).isPresent());
        assertEquals(active >= 2, result.disruption(Event.LEAVE_TWO).isPresent());
        assertEquals(16, disruption(result, Event.JOIN).trials());
        if (active >= 2) {
            assertTrue(disruption(result, Event.LEAVE_TWO).unavoidable()
                    > disruption(result, Event.LEAVE).unavoidable());
        }
    }

    /** Whether the tables after the event name somebody in every trial. */
    private static boolean named(Event event, long active) {
        return switch (event) {
            case JOIN, REWEIGHT -> true;
            case LEAVE -> active > 1;
            case LEAVE_TWO -> active > 2;
        };
    }

    @Property(tries = 30)
    void orderAndDrainedRealsDoNotMatter(
            @ForAll Scheduler scheduler, @ForAll("weights") List<Integer> weights, @ForAll long shuffle) {
        List<WeightedReal> reals = weighted(weights);
        List<WeightedReal> others = new ArrayList<>(reals);
        others.removeIf(real -> real.weight() == 0);
        others.add(new WeightedReal("drained", 0));
        Collections.shuffle(others, new Random(shuffle));
        assertEquals(simulation(reals).run(scheduler), simulation(others).run(scheduler));
    }

    @ParameterizedTest
    @EnumSource
    void theLastRealTakesAllSlotsWithIt(Scheduler scheduler) {
        SimulationResult result = simulation(weighted(List.of(5, 0))).run(scheduler);
        Disruption leave = disruption(result, Event.LEAVE);
        assertEquals(new Disruption(Event.LEAVE, 1, SIZE, SIZE, SIZE, 0), leave);
        assertEquals(new Disruption(Event.REWEIGHT, 1, 0, 0, 0, 1), disruption(result, Event.REWEIGHT));
    }

    @ParameterizedTest
    @EnumSource
    void theFirstRealGetsAllSlots(Scheduler scheduler) {
        SimulationResult result = simulation(weighted(List.of(0, 0))).run(scheduler);
        assertEquals(List.of(new Disruption(Event.JOIN, 16, SIZE, SIZE, SIZE, 1)), result.disruptions());
        assertEquals(List.of(), result.balance().holdings());
        assertEquals(result, simulation(List.of()).run(scheduler));
    }

    @ParameterizedTest
    @EnumSource
    void moreRealsThanSlotsAreMeasuredInSlots(Scheduler scheduler) {
        List<WeightedReal> reals = weighted(Collections.nCopies(20, 100));
        SimulationResult result = new Simulation(reals, 7, SEED, 1.01, 64).run(scheduler);
        assertEquals(result.balance().maxSlots(), result.balance().maxOverAverage());
        assertEquals(0, result.balance().minOverAverage());
        for (Disruption each : result.disruptions()) {
            assertTrue(1 <= each.maxOverAverage() && each.maxOverAverage() <= 7, each.toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void reweightingByOnePercentIsDueLittle(Scheduler scheduler) {
        for (int weight : new int[] {1, 100}) {
            Simulation simulation = new Simulation(weighted(Collections.nCopies(10, weight)), 10007, SEED, 1.01, 10);
            Disruption reweight = disruption(simulation.run(scheduler), Event.REWEIGHT);
            assertEquals(10007 * (101 / 1001.0 - 100 / 1000.0), reweight.unavoidable(), ROUNDING);
            assertTrue(reweight.moved() < 1000, reweight.toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aJoiningRealIsNoneThatIsThere(Scheduler scheduler) {
        List<WeightedReal> reals = List.of(new WeightedReal("joins-0", 1), new WeightedReal("joins-2", 1));
        Disruption join = disruption(simulation(reals).run(scheduler), Event.JOIN);
        assertEquals(16, join.trials());
        assertEquals(SIZE / 3.0, join.unavoidable(), ROUNDING);
    }

    @Test
    void refusesWhatCannotBeTried() {
        List<WeightedReal> two = weighted(List.of(1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Simulation(two, 10, SEED, 1.1, 1));
        assertThrows(IllegalArgumentException.class, () -> new Simulation(two, 11, SEED, 1.1, 0));
        for (double factor : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThrows(IllegalArgumentException.class, () -> new Simulation(two, 11, SEED, factor, 1));
        }
        List<WeightedReal> twice = List.of(new WeightedReal("a", 1), new WeightedReal("a", 0));
        assertThrows(IllegalArgumentException.class, () -> new Simulation(twice, 11, SEED, 1.1, 1));
    }

    @Test
    void trialsAreFewerWhereTheyTakeLonger() {
        assertEquals(32, Simulation.affordableTrials(0, 2));
        assertEquals(32, Simulation.affordableTrials(100, LookupTable.DEFAULT_SIZE));
        assertEquals(15, Simulation.affordableTrials(1000, LookupTable.DEFAULT_SIZE));
        assertEquals(3, Simulation.affordableTrials(1000, 655_373));
        assertEquals(3, Simulation.affordableTrials(Integer.MAX_VALUE, LookupTable.MAX_SIZE));
    }

    @Provide
    Arbitrary<List<Integer>> weights() {
        return Arbitraries.oneOf(
                        Arbitraries.just(0),
                        Arbitraries.just(1),
                        Arbitraries.integers().between(1, 300),
                        Arbitraries.integers().between(1, 65535))
                .list()
                .ofMaxSize(12);
    }
}
