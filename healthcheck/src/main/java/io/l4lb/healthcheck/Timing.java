// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.Objects;

/**
 * How often, and how many in a row.
 *
 * @param interval from the start of one probe to the start of the next, before jitter; 10 ms to 1 day
 * @param downInterval the same while the target is DOWN
 * @param rise successes in a row that make a target UP
 * @param fall failures in a row that make an UP target DOWN
 */
public record Timing(Duration interval, Duration downInterval, int rise, int fall, Hold hold) {
    static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
    static final Duration LONGEST_INTERVAL = Duration.ofDays(1);
    static final int MOST_IN_A_ROW = 1000;

    public Timing {
        Objects.requireNonNull(hold, "hold");
        requireInterval(interval);
        requireInterval(downInterval);
        requireInARow("rise", rise);
        requireInARow("fall", fall);
    }

    /** The same interval in every state, and flapping is not dampened. */
    public Timing(Duration interval, int rise, int fall) {
        this(interval, interval, rise, fall, Hold.NONE);
    }

    /** The interval in a state. */
    public Duration interval(HealthState state) {
        return state == HealthState.DOWN ? downInterval : interval;
    }

    private static void requireInterval(Duration interval) {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
            throw new IllegalArgumentException("an interval lies between 10 ms and 1 day: " + Durations.text(interval));
        }
    }

    private static void requireInARow(String name, int value) {
        if (value < 1 || value > MOST_IN_A_ROW) {
            throw new IllegalArgumentException(name + " lies between 1 and " + MOST_IN_A_ROW + ": " + value);
        }
    }
}
