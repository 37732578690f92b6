// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Multiplies the weight of one real of a list.
 *
 * <p>Weights are whole numbers: 1 % more than 1 would be 1. Only the relation of the weights counts, so all are scaled up
 * where that makes the changed ones whole. What then still is not whole is rounded, to 1 at least and never to what it
 * was before.
 *
 * @param reals all with their weights scaled
 * @param factor of a weight, above 0
 */
record Reweighting(List<WeightedReal> reals, double factor) {
    private static final int MAX_SCALE = 10_000;
    /** Of a weight: what factors are off by that were written in decimals. */
    private static final double ERROR = 1e-12;

    static Reweighting of(List<WeightedReal> reals, double factor) {
        int scale = 1;
        while (scale < MAX_SCALE && !whole(reals, factor * scale) && fits(reals, factor, 10 * scale)) {
            scale *= 10;
        }
        return new Reweighting(scaled(reals, scale), factor);
    }

    /** The list after the weight of the real at that position was changed. */
    List<WeightedReal> at(int changed) {
        return IntStream.range(0, reals.size())
                .mapToObj(i -> i == changed ? changed(reals.get(i)) : reals.get(i))
                .toList();
    }

    private WeightedReal changed(WeightedReal real) {
        int before = real.weight();
        long after = Math.min(Math.max(1, Math.round(before * factor)), Integer.MAX_VALUE);
        if (after == before && factor > 1 && before < Integer.MAX_VALUE) {
            after = before + 1L;
        } else if (after == before && factor < 1 && before > 1) {
            after = before - 1L;
        }
        return new WeightedReal(real.identity(), (int) after);
    }

    private static boolean whole(List<WeightedReal> reals, double factor) {
        return reals.stream()
                .mapToDouble(real -> real.weight() * factor)
                .allMatch(weight -> Math.abs(weight - Math.rint(weight)) <= ERROR * weight);
    }

    private static boolean fits(List<WeightedReal> reals, double factor, int scale) {
        int heaviest = reals.stream().mapToInt(WeightedReal::weight).max().orElse(0);
        return heaviest * Math.max(1, factor) * scale <= Integer.MAX_VALUE;
    }

    private static List<WeightedReal> scaled(List<WeightedReal> reals, int scale) {
        return reals.stream()
                .map(real -> new WeightedReal(real.identity(), real.weight() * scale))
                .toList();
    }
}
