// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Weighted Maglev hashing: the permutations of the paper, with another rule for who gets a slot that several want.
 *
 * <p>In the paper reals take turns: each claims the next slot of its permutation that is still free. Who gets a slot
 * then depends on all turns before, so that a weight changed by 1 % shifts the turns of everybody and moves several times
 * the slots that it has to. Here a slot goes to the real that asks for it first, at times which depend on the real's own
 * weight and permutation alone ({@link Race}), and what keeps shares even are bounds instead of turns:
 *
 * <ol>
 *   <li>every real gets one slot;
 *   <li>the race goes on until every real has {@value #LEAST} of its share by weight;
 *   <li>and then until as many requests as {@value #RACE_END} for each slot have been made, in which no real gets more
 *       than {@value #MOST} times its share, or its share rounded up;
 *   <li>each of the few slots that are left, to reach which by asking at random would take most of the work, asks around
 *       itself: it walks over the table at a stride of its own and goes to the first holder it meets who may have more.
 * </ol>
 *
 * <p>The bounds are wide on purpose. With exact quotas the slot that one real gains makes its loser ask on, who makes
 * another one lose, and so on until the chain meets the very real whose quota has shrunk: about ln N slots moved for one.
 * Between wide bounds most chains end at their first link. The price is a real that gets up to 2 % more than its share.
 * Fractions of a slot are rounded at a place that depends on the real, so that the bounds of equal reals do not jump all
 * at once.
 *
 * <p>Slots moved in tables of 65537 by a change of one of 100 equal reals, means over 20 seeds, in brackets what has to
 * move and what taking turns by weight moves: its weight changes by 1 %: 12.1 (6.5, 61); it leaves: 787 (655, 1023).
 * Nothing of a table depends on former tables, so a real that comes back finds the very same one.
 *
 * <p>With as many reals as slots or more, the heaviest have one each.
 *
 * <p>Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section 3.4;
 * bounds on consistent hashing: Mirrokni et al., "Consistent Hashing with Bounded Loads", SODA 2018.
 */
final class MaglevTable implements TableBuilder {
    /** What every real gets, as a part of its share. */
    private static final double LEAST = 0.8;
    /** What no real gets more of, as a part of its share. */
    private static final double MOST = 1.02;
    /** When the race ends: requests made by then, for each slot. */
    private static final double RACE_END = 4;

    @Override
    public int[] fill(List<WeightedReal> reals, int size, HashSeed seed) {
        if (reals.size() < size) {
            return new Building(reals, size, seed).run();
        }
        int[] heaviest = IntStream.range(0, reals.size())
                .boxed()
                .sorted(Comparator.comparing(real -> -reals.get(real).weight()))
                .limit(size)
                .mapToInt(Integer::intValue)
                .sorted()
                .toArray();
        Race race = new Race(IntStream.of(heaviest).mapToObj(reals::get).toList(), size, seed);
        race.run(IntStream.generate(() -> 1).limit(size).toArray(), Double.POSITIVE_INFINITY);
        return IntStream.of(race.holders()).map(real -> heaviest[real]).toArray();
    }

    /** One table in the making. */
    private static final class Building {
        private final HashSeed seed;
        private final double weight;
        private final Race race;
        private final double[] shares;
        /** Where each real's fractions of a slot are rounded: 0 to 1. */
        private final double[] thresholds;

        Building(List<WeightedReal> reals, int size, HashSeed seed) {
            this.seed = seed;
            weight = reals.stream().mapToDouble(WeightedReal::weight).sum();
            race = new Race(reals, size, seed);
            shares = reals.stream()
                    .mapToDouble(real -> real.weight() * (double) size / weight)
                    .toArray();
            thresholds = IntStream.range(0, reals.size())
                    .mapToDouble(race::threshold)
                    .toArray();
        }

        int[] run() {
            int[] most = bounds(this::most);
            race.run(bounds(real -> 1), Double.POSITIVE_INFINITY);
            race.run(bounds(this::least), Double.POSITIVE_INFINITY);
            race.run(most, RACE_END / weight);
            return new Leftovers(race.holders(), race.free(), seed).giveAway(room(most));
        }

        /** How many slots each real may have more. */
        private int[] room(int[] most) {
            return bounds(real -> most[real] - race.holds(real));
        }

        private int[] bounds(IntUnaryOperator bound) {
            return IntStream.range(0, shares.length).map(bound).toArray();
        }

        private int least(int real) {
            return Math.max(1, (int) Math.floor(LEAST * shares[real] + thresholds[real]));
        }

        /** Never less than the share, so that there is room for all slots. */
        private int most(int real) {
            return (int) Math.max(Math.ceil(shares[real]), Math.floor(MOST * shares[real] - thresholds[real]));
        }
    }
}
