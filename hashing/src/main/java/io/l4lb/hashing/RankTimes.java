// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;

/** When a real of weight 1 asks for the slot of each rank, see {@link Race}. Computed as far as it is asked for. */
final class RankTimes {
    private static final int FIRST_LENGTH = 1024;

    private final int size;
    private double[] times;
    private int known;
    /** The last question and its answer: many reals have the same weight. */
    private double lastTime = Double.NaN;

    private int lastRanks;

    RankTimes(int size) {
        this.size = size;
        times = new double[Math.min(size, FIRST_LENGTH)];
        extend();
    }

    /**
     * The time of a rank.
     *
     * @param rank 0 to size - 1
     */
    double of(int rank) {
        while (rank >= known) {
            times = Arrays.copyOf(times, Math.min(size, 2 * times.length));
            extend();
        }
        return times[rank];
    }

    /** How many ranks have a time up to that one. */
    int ranksUntil(double time) {
        if (time != lastTime) {
            lastTime = time;
            lastRanks = countUntil(time);
        }
        return lastRanks;
    }

    private int countUntil(double time) {
        while (known < size && times[known - 1] <= time) {
            of(known);
        }
        int found = Arrays.binarySearch(times, 0, known, time);
        return found >= 0 ? found + 1 : -(found + 1);
    }

    private void extend() {
        double time = known == 0 ? 0 : times[known - 1];
        for (; known < times.length; known++) {
            time += 1.0 / (size - known);
            times[known] = time;
        }
    }
}
