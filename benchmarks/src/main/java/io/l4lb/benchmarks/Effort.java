// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds in each round every subject runs in a JVM of its own; figures are medians over the rounds
 * @param warmUps iterations whose results are thrown away, in each of these JVMs
 * @param iterations iterations that count
 * @param iterationMillis length of an iteration, of either kind
 * @param realCounts numbers of reals to build tables of
 * @param seeds how many seeds the balance is measured under
 */
record Effort(int rounds, int warmUps, int iterations, int iterationMillis, List<Integer> realCounts, int seeds) {
    Effort {
        realCounts = List.copyOf(realCounts);
    }

    /** For figures that are published; below 15 minutes for all there is. */
    static Effort full() {
        return new Effort(3, 3, 3, 400, List.of(10, 100, 1000), 20);
    }

    /** To see that it works and where it stands; below 2 minutes for all there is. */
    static Effort quick() {
        return new Effort(1, 3, 2, 300, List.of(10, 1000), 3);
    }
}
