// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.healthcheck.check.StatusRange;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the key {@code status}: a number, or a string such as {@code "200-299, 404"}. */
final class StatusReader {
    private static final Pattern RANGE = Pattern.compile("(\\d{3})(?:\\s*-\\s*(\\d{3}))?");
    private static final Pattern COMMA = Pattern.compile(",");
    private static final List<StatusRange> USUAL = List.of(StatusRange.SUCCESS_OR_REDIRECT);

    private StatusReader() {}

    static List<StatusRange> read(Table table) {
        if (!table.has("status")) {
            return USUAL;
        }
        if (table.isText("status")) {
            return table.value("status", "a string", StatusReader::parse).orElse(USUAL);
        }
        return table.number("status", 200, 599)
                .map(code -> List.of(new StatusRange(code, code)))
                .orElse(USUAL);
    }

    private static List<StatusRange> parse(String text) {
        List<StatusRange> ranges = new ArrayList<>();
        for (String part : COMMA.split(text, -1)) {
            Matcher matcher = RANGE.matcher(part.strip());
            if (!matcher.matches()) {
                throw new ImpossibleValueException(
                        Shown.quoted(text) + " is not a list of status codes; use one such as \"200-299, 404\"");
            }
            int first = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            try {
                ranges.add(new StatusRange(first, last));
            } catch (IllegalArgumentException e) {
                throw new ImpossibleValueException(Shown.quoted(text) + ": " + e.getMessage());
            }
        }
        return ranges;
    }
}
