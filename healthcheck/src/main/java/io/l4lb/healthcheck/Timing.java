// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;

/**
 * How often, how long, and how many in a row.
 *
 * @param interval from the start of one probe to the start of the next, before jitter; 10 ms to 1 day
 * @param timeout the total deadline of a probe, connect and response together; at most the interval
 * @param rise successes in a row that make a target UP
 * @param fall failures in a row that make an UP target DOWN
 */
public record Timing(Duration interval, Duration timeout, int rise, int fall) {
    static final Duration SHORTEST_INTERVAL = Duration.ofMillis(10);
    static final Duration LONGEST_INTERVAL = Duration.ofDays(1);
    static final int MOST_IN_A_ROW = 1000;

    public Timing {
        if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
            throw new IllegalArgumentException("an interval lies between 10 ms and 1 day: " + text(interval));
        }
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(interval) > 0) {
            throw new IllegalArgumentException(
                    "a timeout is more than 0 and at most the interval " + text(interval) + ": " + text(timeout));
        }
        requireInARow("rise", rise);
        requireInARow("fall", fall);
    }

    /** The timeout as an operator writes it: {@code 1s}, {@code 1.5s}, {@code 300ms}. */
    public String timeoutText() {
        return text(timeout);
    }

    private static void requireInARow(String name, int value) {
        if (value < 1 || value > MOST_IN_A_ROW) {
            throw new IllegalArgumentException(name + " lies between 1 and " + MOST_IN_A_ROW + ": " + value);
        }
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis > -1000 && millis < 1000) {
            return millis + "ms";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis / 1000.0 + "s";
    }
}
