// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Availability.Panic;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads the keys {@code panic-share} and {@code panic-window}, of a service or of the agent. */
final class PanicReader {
    private static final Pattern PERCENT = Pattern.compile("([1-9]\\d?|100)%");
    private static final Function<String, Duration> WINDOW =
            DurationLiteral.between(Duration.ofSeconds(1), Duration.ofHours(1));

    private PanicReader() {}

    /** The rule, with the default of a key that is not there or wrong; wrong ones are reported. */
    static Panic read(Table table) {
        return new Panic(
                table.value("panic-share", "a percentage such as \"50%\"", PanicReader::share)
                        .orElse(Panic.DEFAULT.share()),
                table.value("panic-window", DurationLiteral.EXPECTED, WINDOW).orElse(Panic.DEFAULT.window()));
    }

    private static int share(String text) {
        if (!PERCENT.matcher(text).matches()) {
            throw new ImpossibleValueException(Shown.quoted(text)
                    + " is not a share; use \"1%\" to \"100%\", of which \"100%\" turns the rule off");
        }
        return Integer.parseInt(text.substring(0, text.length() - 1));
    }
}
