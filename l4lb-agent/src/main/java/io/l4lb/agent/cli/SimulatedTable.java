// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.model.Service;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table that is simulated.
 *
 * @param service whose it is; empty: nobody's
 * @param size slots
 */
record SimulatedTable(String service, List<WeightedReal> reals, int size) {
    private static final int DEFAULT_WEIGHT = 100;

    static SimulatedTable of(Service service, int size) {
        List<WeightedReal> reals = service.reals().stream()
                .map(real -> new WeightedReal(real.identity(), real.weight()))
                .toList();
        return new SimulatedTable(service.name(), reals, size);
    }

    /** That many reals of the same weight, with made-up addresses. */
    static SimulatedTable ofEqual(int count, int size) {
        List<WeightedReal> reals = IntStream.rangeClosed(1, count)
                .mapToObj(i -> "10." + (i >> 16) + "." + ((i >> 8) & 0xff) + "." + (i & 0xff))
                .map(address -> new WeightedReal(address, DEFAULT_WEIGHT))
                .toList();
        return new SimulatedTable("", reals, size);
    }

    /** What it is, in words. */
    String title() {
        long drained = reals.stream().filter(real -> real.weight() == 0).count();
        return (service.isEmpty() ? "" : service + ": ")
                + reals.size() + (reals.size() == 1 ? " real" : " reals")
                + (drained == 0 ? "" : " (" + drained + " of weight 0)")
                + ", " + size + " slots";
    }
}
