// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * What is known of the health of a real by one VIP. Times are ISO 8601, and empty where there is none.
 *
 * @param state {@code unknown}, {@code up}, {@code down}
 * @param stale whether an earlier agent said so, and no probe of this one yet
 * @param heldUntil until when it stays down, since it flaps
 * @param flaps in a row
 * @param last when the latest verdict came
 * @param latencyMillis of that probe
 * @param run verdicts alike in a row: successes as a positive number, failures as a negative one
 * @param reason of its state, in words
 * @param warning of the latest answer, such as that a certificate expires soon
 * @param load what the real said of its load
 * @param history the latest verdicts, oldest first
 */
public record HealthView(
        String service,
        String vip,
        String real,
        String state,
        boolean stale,
        String since,
        String heldUntil,
        int flaps,
        String last,
        double latencyMillis,
        int run,
        String reason,
        String warning,
        LoadView load,
        List<EntryView> history) {
    public HealthView {
        history = List.copyOf(history);
    }

    /**
     * A load report.
     *
     * @param text in words, such as {@code 0.75}, {@code 50% drain}; empty: there was none
     * @param at when it came
     * @param problem why the latest answer had none that could be read
     */
    public record LoadView(String text, String at, String problem) {}

    /**
     * Verdicts in a row that say the same.
     *
     * @param outcome {@code success}, {@code failure}, {@code inconclusive}
     * @param state of the real after the last of them
     */
    public record EntryView(String first, String last, int count, String outcome, String reason, String state) {}
}
