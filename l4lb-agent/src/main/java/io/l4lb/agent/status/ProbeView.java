// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * One probe that an operator asked for.
 *
 * @param destination address and port that were probed
 * @param outcome {@code success}, {@code failure}, {@code inconclusive}
 * @param latencyMillis from its start to its end
 * @param load what the real said of its load, in words, or why that could not be read; empty: nothing
 */
public record ProbeView(
        String service,
        String vip,
        String real,
        String destination,
        String outcome,
        String reason,
        double latencyMillis,
        String warning,
        String load,
        List<StepView> steps) {
    public ProbeView {
        steps = List.copyOf(steps);
    }

    /** What happened, and when, in milliseconds from the first step on. */
    public record StepView(double atMillis, String step) {}
}
