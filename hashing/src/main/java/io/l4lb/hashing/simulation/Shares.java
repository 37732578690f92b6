// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.WeightedReal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each real is due of a table by its weight, not rounded.
 *
 * @param size slots of the table
 */
record Shares(Map<String, Double> byIdentity, int size) {
    /** Who has the slots of a table without reals; no real has an empty identity. */
    private static final String NOBODY = "";

    static Shares of(List<WeightedReal> reals, int size) {
        double weight = reals.stream().mapToLong(WeightedReal::weight).sum();
        Map<String, Double> shares = new HashMap<>();
        reals.forEach(real -> shares.put(real.identity(), size * (real.weight() / weight)));
        if (weight == 0) {
            shares.clear();
            shares.put(NOBODY, (double) size);
        }
        return new Shares(shares, size);
    }

    /** What a real is due; nothing if it is not among these. */
    double of(WeightedReal real) {
        return byIdentity.getOrDefault(real.identity(), 0.0);
    }

    /** Slots that have to move between the one and the other: each that one real gains, another one loses. */
    double distance(Shares other) {
        double gained = 0;
        for (Map.Entry<String, Double> share : byIdentity.entrySet()) {
            gained += Math.max(0, share.getValue() - other.byIdentity.getOrDefault(share.getKey(), 0.0));
        }
        return gained;
    }
}
