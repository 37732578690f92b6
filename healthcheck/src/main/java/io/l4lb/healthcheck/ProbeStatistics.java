// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;

/**
 * What health checking has done and is doing.
 *
 * @param targets who want to know
 * @param probes that differ: what is really sent
 * @param inFlight started, and without a verdict
 * @param verdicts since the start, by outcome
 * @param lag by how much probes start later than their schedule says, over the last minute or so
 */
public record ProbeStatistics(int targets, int probes, int inFlight, Verdicts verdicts, Lag lag) {
    /** Counts since the start. */
    public record Verdicts(long successes, long failures, long inconclusive) {}

    /** Percentiles; zero while there is none. */
    public record Lag(Duration median, Duration p99, Duration most) {
        public static final Lag NONE = new Lag(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }
}
