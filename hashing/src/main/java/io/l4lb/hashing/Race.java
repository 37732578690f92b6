// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;
import java.util.List;

/**
 * Reals that race for slots, each along its permutation and at a pace in proportion to its weight; a slot goes to the
 * real that asks for it first. A real that has as many slots as it may pauses, and asks on when it may have more.
 *
 * <p>The time at which a real of weight w asks for the slot of rank r (from 0) of M is (1/M + 1/(M-1) + … + 1/(M-r)) / w:
 * the ranks of a slot are as good as drawn by lot, and these are the mean times of the first, second, … of M events that
 * each happen at rate 1 (Rényi). So a slot's first asker is a given real with a probability in proportion to its weight,
 * however few the reals and however far apart their weights.
 *
 * <p>The result is that of taking all requests in the order of their times, ties by the order of reals. The program goes
 * through the reals one after the other instead, in rounds of time: within a round an earlier request that comes up later
 * takes the slot from its holder, who then asks on (Gale and Shapley, 1962: both sides rank by time, so exactly one
 * assignment is stable, whatever the order of asking). How time is cut into rounds does not matter to the result. Slots of
 * former rounds are settled, which one bit tells.
 *
 * <p>Additions and divisions as of IEEE 754 give every JVM the same times.
 */
final class Race {
    /** A slot that nobody holds. */
    static final int FREE = -1;

    /** In a round the reals together ask for at most this part of as many slots as there are. */
    private static final double LONGEST_ROUND = 0.5;
    /** And for at most this part of as many slots as are free, so that few requests meet. */
    private static final double DENSEST_ROUND = 0.25;

    /** Requests that are looked at in one go. */
    private static final int LOOK_AHEAD = 127;

    private final int size;
    private final RankTimes times;
    private final Permutation[] permutations;
    private final double[] weights;
    /** How many slots each real may hold, and does. */
    private final int[] mayHold;

    private final int[] holds;
    /** What each real asks for next. */
    private final int[] nextSlot;

    private final int[] nextRank;
    /** Of each slot 0, or who asked for it: its rank for the holder plus 1 in the upper half, the holder in the lower. */
    private final long[] requests;
    /** One bit a slot: whether it was taken in a former round. */
    private final long[] settled;
    /** One bit a slot: whether it was taken in this round. */
    private final long[] taken;

    /** The next slots of one real that are not settled, and how far its ranks are ahead there. */
    private final int[] openSlots = new int[LOOK_AHEAD + 1];

    private final byte[] openAhead = new byte[LOOK_AHEAD + 1];
    private int free;
    private final int[] losers;
    private int losing;

    Race(List<WeightedReal> reals, int size, HashSeed seed) {
        this.size = size;
        times = new RankTimes(size);
        permutations = reals.stream()
                .map(real -> Permutation.of(real.identity(), size, seed))
                .toArray(Permutation[]::new);
        weights = reals.stream().mapToDouble(WeightedReal::weight).toArray();
        mayHold = new int[reals.size()];
        holds = new int[reals.size()];
        nextSlot = Arrays.stream(permutations).mapToInt(Permutation::offset).toArray();
        nextRank = new int[reals.size()];
        requests = new long[size];
        settled = new long[(size >> 6) + 1];
        taken = new long[settled.length];
        free = size;
        losers = new int[reals.size()];
    }

    /** Slots that nobody holds. */
    int free() {
        return free;
    }

    /** How many slots a real holds. */
    int holds(int real) {
        return holds[real];
    }

    /** A number from 0 to 1 of the real's own, as good as drawn by lot: where its permutation begins. */
    double threshold(int real) {
        return (double) permutations[real].offset() / size;
    }

    /** Who holds each slot, or {@link #FREE}. */
    int[] holders() {
        int[] holders = new int[size];
        for (int slot = 0; slot < size; slot++) {
            holders[slot] = requests[slot] == 0 ? FREE : (int) requests[slot];
        }
        return holders;
    }

    /**
     * Lets the reals race until each holds what it may, or all slots are taken, or that time is reached.
     *
     * @param bounds how many slots each real may hold; not less than it does
     */
    void run(int[] bounds, double until) {
        System.arraycopy(bounds, 0, mayHold, 0, bounds.length);
        double now = Double.POSITIVE_INFINITY;
        for (int real = 0; real < bounds.length; real++) {
            if (asks(real)) {
                now = Math.min(now, times.of(nextRank[real]) / weights[real]);
            }
        }
        while (free > 0 && now < until) {
            double asking = 0;
            for (int real = 0; real < bounds.length; real++) {
                asking += asks(real) ? weights[real] : 0;
            }
            if (asking == 0) {
                return;
            }
            now = Math.min(until, now + Math.min(LONGEST_ROUND, DENSEST_ROUND * size / free) / asking);
            round(now);
        }
    }

    private boolean asks(int real) {
        return holds[real] < mayHold[real] && nextRank[real] < size;
    }

    private void round(double until) {
        for (int real = 0; real < weights.length; real++) {
            if (asks(real)) {
                ask(real, until);
                while (losing > 0) {
                    ask(losers[--losing], until);
                }
            }
        }
        for (int i = 0; i < settled.length; i++) {
            settled[i] |= taken[i];
        }
    }

    /** The real asks for slots in its order, until it holds what it may or its next request is later. */
    private void ask(int real, double until) {
        int endRank = times.ranksUntil(until * weights[real]);
        while (nextRank[real] < endRank && holds[real] < mayHold[real]) {
            int rank = nextRank[real];
            askFor(real, rank, lookAhead(real, Math.min(endRank - rank, LOOK_AHEAD)));
        }
    }

    /**
     * Collects the next slots of the real that are not settled. No branch depends on whether one is: that is as good as
     * drawn by lot, and a processor that guesses wrong loses more time than the rest takes.
     */
    private int lookAhead(int real, int ranks) {
        Permutation permutation = permutations[real];
        int slot = nextSlot[real];
        int open = 0;
        for (int ahead = 0; ahead < ranks; ahead++) {
            openSlots[open] = slot;
            openAhead[open] = (byte) ahead;
            open += (int) (~settled[slot >> 6] >>> slot) & 1;
            slot = permutation.after(slot);
        }
        nextSlot[real] = slot;
        nextRank[real] += ranks;
        return open;
    }

    private void askFor(int real, int firstRank, int open) {
        int wanted = mayHold[real] - holds[real];
        for (int i = 0; i < open; i++) {
            int rank = firstRank + openAhead[i];
            if (isGranted(real, rank, openSlots[i]) && --wanted == 0) {
                nextSlot[real] = permutations[real].after(openSlots[i]);
                nextRank[real] = rank + 1;
                break;
            }
        }
        holds[real] = mayHold[real] - wanted;
    }

    private boolean isGranted(int real, int rank, int slot) {
        long other = requests[slot];
        if (other == 0) {
            taken[slot >> 6] |= 1L << slot;
            free--;
        } else if (isBefore(real, rank, other)) {
            lose((int) other);
        } else {
            return false;
        }
        requests[slot] = (rank + 1L) << Integer.SIZE | real;
        return true;
    }

    private boolean isBefore(int real, int rank, long request) {
        int other = (int) request;
        int otherRank = (int) (request >>> Integer.SIZE) - 1;
        double time = times.of(rank) * weights[other];
        double otherTime = times.of(otherRank) * weights[real];
        return time < otherTime || (time == otherTime && real < other);
    }

    private void lose(int real) {
        if (holds[real]-- == mayHold[real]) {
            losers[losing++] = real;
        }
    }
}
