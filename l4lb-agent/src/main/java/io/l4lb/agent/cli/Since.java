// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/** Says when something began, and how long ago that is. */
record Since(Clock clock) {
    /**
     * {@code 2026-01-01T03:00:00Z (4m10s)}.
     *
     * @param time ISO 8601; anything else is given back as it is
     */
    String text(String time) {
        try {
            Instant instant = Instant.parse(time);
            Duration age = Duration.between(instant, clock.instant());
            return instant.truncatedTo(ChronoUnit.SECONDS) + (age.isNegative() ? "" : " (" + brief(age) + ")");
        } catch (DateTimeParseException e) {
            return time;
        }
    }

    /** How long ago that is: {@code 4m10s}; anything else than a time is given back as it is. */
    String age(String time) {
        try {
            Duration age = Duration.between(Instant.parse(time), clock.instant());
            return age.isNegative() ? "0s" : brief(age);
        } catch (DateTimeParseException e) {
            return time;
        }
    }

    /** The two largest units. */
    private static String brief(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + "d" + age.toHoursPart() + "h";
        }
        if (age.toHours() > 0) {
            return age.toHours() + "h" + age.toMinutesPart() + "m";
        }
        if (age.toMinutes() > 0) {
            return age.toMinutes() + "m" + age.toSecondsPart() + "s";
        }
        return age.toSeconds() + "s";
    }
}
