// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.simulation.Balance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** What a way of building tables does to reals of some weights. */
final class MhFigures {
    private static final int OURS = 65537;
    private static final int TRIALS = 12;
    private static final HashSeed SEED = new HashSeed(1, 2);

    private final Function<List<WeightedReal>, LookupTable> build;
    private final int[] weights;

    private MhFigures(Function<List<WeightedReal>, LookupTable> build, int[] weights) {
        this.build = build;
        this.weights = weights.clone();
    }

    /** The kernel's table with weights as configured. */
    static MhFigures asConfigured(int... weights) {
        return new MhFigures(MhReals::asConfigured, weights);
    }

    /** The kernel's table with the levels that it is given. */
    static MhFigures levels(int... weights) {
        return new MhFigures(MhReals::table, weights);
    }

    /** Our own Maglev. */
    static MhFigures maglev(int... weights) {
        return new MhFigures(reals -> Scheduler.MAGLEV.build(reals, OURS, SEED), weights);
    }

    /** Slots in relation to shares by the configured weights. */
    Balance balance() {
        Map<String, Integer> configured = new HashMap<>();
        MhReals.of(weights).forEach(real -> configured.put(real.identity(), real.weight()));
        LookupTable table = build.apply(MhReals.of(weights));
        List<WeightedReal> reals = table.reals().stream()
                .map(real -> new WeightedReal(real.identity(), configured.getOrDefault(real.identity(), 0)))
                .toList();
        return Balance.of(LookupTable.of(reals, table.slots()));
    }

    /** Per cent of the slots that move when one real's weight changes so, on average over some of the reals. */
    double reweighted(IntUnaryOperator change) {
        LookupTable before = build.apply(MhReals.of(weights));
        return some().mapToDouble(real -> {
                    int[] after = weights.clone();
                    after[real] = change.applyAsInt(after[real]);
                    return moved(before, build.apply(MhReals.of(after)));
                })
                .average()
                .orElse(0);
    }

    /** As {@link #reweighted}, when one more real of average weight joins in between the others. */
    double joined() {
        int average = (int) Arrays.stream(weights).average().orElse(0);
        return some().mapToDouble(real -> {
                    List<Integer> after =
                            new ArrayList<>(Arrays.stream(weights).boxed().toList());
                    after.add(real, 0);
                    LookupTable before = build.apply(MhReals.of(array(after)));
                    after.set(real, average);
                    return moved(before, build.apply(MhReals.of(array(after))));
                })
                .average()
                .orElse(0);
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(Integer::intValue).toArray();
    }

    private static double moved(LookupTable before, LookupTable after) {
        return 100.0 * before.moved(after) / before.size();
    }

    private IntStream some() {
        int trials = Math.min(TRIALS, weights.length);
        return IntStream.range(0, trials).map(i -> (2 * i + 1) * weights.length / (2 * trials));
    }

    private String row(String name) {
        Balance balance = balance();
        return "%5d  %-13s %5.2f %5.2f %7.2f %7.2f %7.2f %7.2f %7.2f%n"
                .formatted(
                        weights.length,
                        name,
                        balance.minOverAverage(),
                        balance.maxOverAverage(),
                        reweighted(weight -> weight * 101 / 100),
                        reweighted(weight -> weight * 110 / 100),
                        reweighted(weight -> weight * 150 / 100),
                        reweighted(weight -> 0),
                        joined());
    }

    private static void print(int... weights) {
        System.out.print(asConfigured(weights).row("as configured"));
        System.out.print(levels(weights).row("levels"));
        System.out.print(maglev(weights).row("maglev"));
    }

    /** Prints the table of docs/hashing.md. */
    public static void main(String[] arguments) {
        System.out.println("REALS  WEIGHTS         MIN   MAX     +1%    +10%    +50%   LEAVE    JOIN");
        for (int reals : new int[] {10, 40, 100, 300}) {
            print(IntStream.generate(() -> 100).limit(reals).toArray());
        }
        System.out.println();
        for (int reals : new int[] {2, 3, 5, 10, 20, 40, 100, 300}) {
            print(new Random(reals).ints(reals, 500, 1501).toArray());
        }
    }
}
