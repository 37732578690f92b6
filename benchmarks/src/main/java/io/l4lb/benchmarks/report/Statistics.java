// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.report;

import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Of a handful of numbers. */
public final class Statistics {
    private Statistics() {}

    /** The middle one, or the mean of the two in the middle. */
    public static double median(Collection<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no median of nothing");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public static double worst(Collection<Double> values) {
        return Collections.max(values);
    }
}
