// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Tries on a set of reals what happens to them in operation, with real tables.
 *
 * <p>Each {@link Event} is tried on all reals in turn, or on {@code trials} of them that are spread evenly over the
 * weights. Reals of weight 0 are not in play. The outcome does not depend on the order of the list.
 *
 * @param reals the service's
 * @param size slots of the table
 * @param seed of the tables
 * @param factor of the weight of a real that is {@link Event#REWEIGHT reweighted}: 1.01 is 1 % more
 * @param trials of an event, at most
 */
public record Simulation(List<WeightedReal> reals, int size, HashSeed seed, double factor, int trials) {
    /** How many slots times reals one event of one scheduler is worth: about what the slowest of them looks at. */
    private static final long AFFORDABLE = 1_000_000_000;

    private static final int FEWEST_TRIALS = 3;
    private static final int MOST_TRIALS = 32;

    /**
     * Checks everything.
     *
     * @throws IllegalArgumentException for a size that is no {@link LookupTable#isSize size}, an identity given twice, a
     *     factor that is not above 0, or no trials
     */
    public Simulation {
        if (!LookupTable.isSize(size)) {
            throw new IllegalArgumentException("no table has " + size + " slots");
        }
        if (!(factor > 0 && factor < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a weight cannot be multiplied by " + factor);
        }
        if (trials < 1) {
            throw new IllegalArgumentException("nothing comes of " + trials + " trials");
        }
        Set<String> identities = new HashSet<>();
        reals.forEach(real -> {
            if (!identities.add(real.identity())) {
                throw new IllegalArgumentException("real " + real.identity() + " is given twice");
            }
        });
        reals = reals.stream()
                .filter(real -> real.weight() > 0)
                .sorted(Comparator.comparingInt(WeightedReal::weight).thenComparing(WeightedReal::identity))
                .toList();
    }

    /** As many trials as take a bearable time: fewer with more reals, and on larger tables. */
    public static int affordableTrials(int reals, int size) {
        long trials = AFFORDABLE / Math.max(1, (long) reals * size);
        return (int) Math.min(MOST_TRIALS, Math.max(FEWEST_TRIALS, trials));
    }

    /** Runs all events on tables of that scheduler, on all processors. */
    public SimulationResult run(Scheduler scheduler) {
        Reweighting reweighting = Reweighting.of(reals, factor);
        Before before = new Before(scheduler, reals);
        Before beforeReweighting =
                reweighting.reals().equals(reals) ? before : new Before(scheduler, reweighting.reals());
        List<Disruption> disruptions = new ArrayList<>();
        before.disruption(Event.LEAVE, positions().mapToObj(gone -> without(i -> i == gone)))
                .ifPresent(disruptions::add);
        before.disruption(Event.JOIN, joins()).ifPresent(disruptions::add);
        beforeReweighting
                .disruption(Event.REWEIGHT, positions().mapToObj(reweighting::at))
                .ifPresent(disruptions::add);
        before.disruption(
                        Event.LEAVE_TWO,
                        Choices.pairs(reals.size(), trials).stream()
                                .map(gone -> without(i -> i == gone.first() || i == gone.second())))
                .ifPresent(disruptions::add);
        return new SimulationResult(scheduler, Balance.of(before.table), disruptions);
    }

    private IntStream positions() {
        return Choices.positions(reals.size(), trials);
    }

    private List<WeightedReal> without(IntPredicate gone) {
        return IntStream.range(0, reals.size())
                .filter(gone.negate())
                .mapToObj(reals::get)
                .toList();
    }

    /** Lists with one more real: another one each, since there is no saying which it will be. */
    private Stream<List<WeightedReal>> joins() {
        Set<String> taken = new HashSet<>();
        reals.forEach(real -> taken.add(real.identity()));
        long average = Math.round(
                reals.stream().mapToInt(WeightedReal::weight).average().orElse(1));
        return Stream.iterate(0, i -> i + 1)
                .map(i -> "joins-" + i)
                .filter(identity -> !taken.contains(identity))
                .limit(trials)
                .map(identity -> Stream.concat(reals.stream(), Stream.of(new WeightedReal(identity, (int) average)))
                        .toList());
    }

    /** How things are before an event. */
    private final class Before {
        private final Scheduler scheduler;
        private final LookupTable table;
        private final Shares shares;

        Before(Scheduler scheduler, List<WeightedReal> reals) {
            this.scheduler = scheduler;
            table = scheduler.build(reals, size, seed);
            shares = Shares.of(reals, size);
        }

        /** What the event does if it leaves one of these lists, each a trial; empty without any. */
        Optional<Disruption> disruption(Event event, Stream<List<WeightedReal>> after) {
            List<Trial> trials = after.parallel().map(this::trial).toList();
            if (trials.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Disruption(
                    event,
                    trials.size(),
                    trials.stream().mapToInt(Trial::moved).average().orElse(0),
                    trials.stream().mapToInt(Trial::moved).max().orElse(0),
                    trials.stream().mapToDouble(Trial::unavoidable).average().orElse(0),
                    trials.stream().mapToDouble(Trial::maxOverAverage).max().orElse(0)));
        }

        private Trial trial(List<WeightedReal> left) {
            LookupTable changed = scheduler.build(left, size, seed);
            return new Trial(
                    table.moved(changed),
                    shares.distance(Shares.of(left, size)),
                    Balance.of(changed).maxOverAverage());
        }
    }

    /** What one table gave. */
    private record Trial(int moved, double unavoidable, double maxOverAverage) {}
}
