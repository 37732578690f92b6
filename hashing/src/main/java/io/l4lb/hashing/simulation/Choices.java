// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Which of many possibilities are tried: all of them, or some that are spread evenly over all. */
final class Choices {
    private Choices() {}

    /** A pair of different positions. */
    record Pair(int first, int second) {}

    /** Positions in a list of {@code count}, at most {@code limit} of them. */
    static IntStream positions(int count, int limit) {
        return ranks(count, limit).mapToInt(Math::toIntExact);
    }

    /** Pairs of positions in a list of {@code count}, at most {@code limit} of them. */
    static List<Pair> pairs(int count, int limit) {
        List<Pair> pairs = new ArrayList<>();
        ranks((long) count * (count - 1) / 2, limit).forEach(rank -> {
            int first = 0;
            long rest = rank;
            for (int row = count - 1; rest >= row; row--) {
                rest -= row;
                first++;
            }
            pairs.add(new Pair(first, first + 1 + (int) rest));
        });
        return pairs;
    }

    /** The middles of as many equal parts of 0 to {@code count - 1} as are wanted. */
    private static LongStream ranks(long count, int limit) {
        long wanted = Math.min(count, limit);
        return LongStream.range(0, wanted).map(i -> (2 * i + 1) * count / (2 * wanted));
    }
}
