// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations such as {@code 500ms}, {@code 0.5s}, {@code 2s}, {@code 1m} and {@code 1h}. */
final class DurationLiteral {
    /** What is expected of a key that holds one. */
    static final String EXPECTED = "a duration such as \"2s\"";

    private static final Pattern FORM = Pattern.compile("(-?)(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)");

    private DurationLiteral() {}

    /** A parser of durations from {@code min} to {@code max}. */
    static Function<String, Duration> between(Duration min, Duration max) {
        return text -> {
            Duration duration = parse(text);
            if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
                throw new ImpossibleValueException(Shown.quoted(text) + " is out of range; use "
                        + Shown.quoted(format(min)) + " to " + Shown.quoted(format(max)));
            }
            return duration;
        };
    }

    static Duration parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a duration; write it like \"500ms\", \"2s\" or \"1m\"");
        }
        if (!parts.group(1).isEmpty()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is negative");
        }
        long nanosOfUnit =
                switch (parts.group(3)) {
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    default -> 3_600_000_000_000L;
                };
        BigDecimal nanos = new BigDecimal(parts.group(2)).multiply(BigDecimal.valueOf(nanosOfUnit));
        BigDecimal[] split = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Duration.ofSeconds(split[0].longValue(), split[1].longValue());
    }

    /** In seconds where that is a whole number. */
    static String format(Duration duration) {
        return duration.getNano() == 0
                ? duration.getSeconds() + "s"
                : BigDecimal.valueOf(duration.toNanos(), 6).stripTrailingZeros().toPlainString() + "ms";
    }
}
