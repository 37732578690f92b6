// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a real said of its load in one answer. At least one of its parts is there.
 *
 * @param utilization 0.0 idle, 1.0 full; more than 1.0 only from ORCA. From ORCA it is the application's, else the CPU's
 * @param share of its configured weight that the real wants, 0.0 to 1.0 (agent-check)
 * @param word what the real wants to be (agent-check)
 * @param metrics all else that it said, by name: ORCA's {@code cpu_utilization}, {@code rps_fractional}, {@code
 *     named_metrics.queue}, ...
 */
public record LoadReport(
        OptionalDouble utilization, OptionalDouble share, Optional<Word> word, Map<String, Double> metrics) {
    /** The words of HAProxy's agent-check. */
    public enum Word {
        UP,
        READY,
        DRAIN,
        MAINT,
        DOWN,
        FAIL,
        STOPPED
    }

    public LoadReport {
        metrics = Map.copyOf(metrics);
        Objects.requireNonNull(word, "word");
        if (utilization.isEmpty() && share.isEmpty() && word.isEmpty() && metrics.isEmpty()) {
            throw new IllegalArgumentException("a load report says something");
        }
    }

    public static LoadReport ofUtilization(double utilization) {
        return new LoadReport(OptionalDouble.of(utilization), OptionalDouble.empty(), Optional.empty(), Map.of());
    }
}
