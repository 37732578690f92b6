// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;
import java.util.List;

/**
 * Weighted rendezvous hashing (highest random weight) by the logarithm method: the score of a real for a slot is
 * {@code -ln(u) / weight}, u being a hash of the two in (0, 1), and the lowest score has the slot. A real that leaves gives
 * its slots away and moves no other; a real whose weight changes wins or loses slots and no other pair of reals trades any.
 *
 * <p>Scores of one real over all slots are independent exponential numbers. Instead of drawing all N×M of them, a real's
 * scores are made in ascending order, as the events of a Poisson process that hits slots at random: event j is at
 * {@code -(ln u(1) + … + ln u(j)) / weight} and hits slot s(j), with u(j) and s(j) from the j-th hash of the real. The first
 * event of a real in a slot is its score there. As soon as every slot has an event of anybody's, later events decide
 * nothing: about M ln M logarithms in all, whatever the number of reals.
 *
 * <p>Shares are as random scores make them: with n slots for a real on average they spread by about sqrt(n), and a real of
 * little weight may have none.
 *
 * <p>{@link StrictMath} gives every JVM the same scores.
 *
 * <p>Sources: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on
 * Networking 6(1), 1998; weights by logarithms: Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", SPAA 2005.
 */
final class RendezvousTable implements TableBuilder {
    /** How much time, in events for each slot, is added while a slot has none. */
    private static final double ROUND = 1;

    @Override
    public int[] fill(List<WeightedReal> reals, int size, HashSeed seed) {
        double weight = reals.stream().mapToDouble(WeightedReal::weight).sum();
        Events[] events = new Events[reals.size()];
        Arrays.setAll(events, real -> new Events(reals.get(real), seed));
        int[] winners = new int[size];
        Arrays.fill(winners, LookupTable.NO_REAL);
        double[] scores = new double[size];
        Arrays.fill(scores, Double.POSITIVE_INFINITY);
        int missing = size;
        for (double rounds = StrictMath.log(size); missing > 0; rounds += ROUND) {
            double until = rounds * size / weight;
            for (int real = 0; real < events.length; real++) {
                missing -= events[real].hit(real, until, winners, scores);
            }
        }
        return winners;
    }

    /** The events of one real. */
    private static final class Events {
        /** Twice the smallest u: half a step of 32 bits. */
        private static final double STEP = 0x1p-32;

        private final HashStream hashes;
        private final double weight;
        private long next;
        private double score;

        Events(WeightedReal real, HashSeed seed) {
            hashes = new HashStream(real.identity(), seed);
            weight = real.weight();
            draw();
        }

        private void draw() {
            next = hashes.next();
            score -= StrictMath.log(((next & 0xffffffffL) + 0.5) * STEP) / weight;
        }

        /** Takes the slots that are hit until then, unless another hit them before; returns how many had no winner. */
        int hit(int real, double until, int[] winners, double[] scores) {
            int found = 0;
            for (; score <= until; draw()) {
                int slot = LookupTable.slotOf(next, scores.length);
                if (score < scores[slot] || (score == scores[slot] && real < winners[slot])) {
                    found += winners[slot] == LookupTable.NO_REAL ? 1 : 0;
                    winners[slot] = real;
                    scores[slot] = score;
                }
            }
            return found;
        }
    }
}
