// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.util.ArrayList;
import java.util.List;

/**
 * How evenly a table is spread over its reals.
 *
 * @param size slots of the table
 * @param holdings of the reals with a weight above 0, sorted by identity; none: the table names nobody, and every figure
 *     here is 0
 */
public record Balance(int size, List<Holding> holdings) {
    public Balance {
        holdings = List.copyOf(holdings);
    }

    /** What the reals have of that table. */
    public static Balance of(LookupTable table) {
        List<WeightedReal> reals = table.reals();
        int[] slots = table.slotsPerReal();
        Shares shares = Shares.of(reals, table.size());
        List<Holding> holdings = new ArrayList<>();
        for (int i = 0; i < slots.length; i++) {
            if (reals.get(i).weight() > 0) {
                holdings.add(new Holding(reals.get(i), slots[i], shares.of(reals.get(i))));
            }
        }
        return new Balance(table.size(), holdings);
    }

    /** The fewest slots that a real has. */
    public int minSlots() {
        return holdings.stream().mapToInt(Holding::slots).min().orElse(0);
    }

    /** The most slots that a real has. */
    public int maxSlots() {
        return holdings.stream().mapToInt(Holding::slots).max().orElse(0);
    }

    /** The slots of a real on average. */
    public double averageSlots() {
        return holdings.isEmpty() ? 0 : (double) size / holdings.size();
    }

    /**
     * How much of its share the real has that is worst off: the smallest {@link Holding#ratio}. With it at 0, a real gets
     * no flows.
     */
    public double minOverAverage() {
        return holdings.stream().mapToDouble(Holding::ratio).min().orElse(0);
    }

    /**
     * How much of its share the real has that is burdened most: the largest {@link Holding#ratio}. By as much all reals
     * have to be over-provisioned.
     */
    public double maxOverAverage() {
        return holdings.stream().mapToDouble(Holding::ratio).max().orElse(0);
    }
}
