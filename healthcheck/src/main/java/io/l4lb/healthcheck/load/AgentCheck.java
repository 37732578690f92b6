// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import io.l4lb.healthcheck.load.LoadReport.Word;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/**
 * One line of HAProxy's agent-check (its configuration manual, {@code agent-check}): words between spaces, tabs or commas, in any
 * order and case. {@code 75%} is the share of its weight that the real wants; {@code maxconn:30} a limit of connections, which is kept
 * as a metric; one of {@code up}, {@code down}, {@code fail}, {@code stopped}, and one of {@code ready}, {@code drain}, {@code maint},
 * say what it wants to be. Of the two, the one that keeps traffic away counts. What follows a {@code #} is for people.
 *
 * <p>Unlike HAProxy, which passes over words that it does not know, one such word refuses the line: half an answer is not an answer.
 */
public final class AgentCheck {
    private static final Pattern SEPARATORS = Pattern.compile("[ \t,]+");
    private static final Pattern PERCENTAGE = Pattern.compile("(\\d{1,3})%");
    private static final Pattern MAXCONN = Pattern.compile("maxconn:(\\d{1,9})");
    /** HAProxy takes more than 100 %; a weight of ours is a share of what is configured. */
    private static final int MOST_PERCENT = 100;

    private OptionalDouble share = OptionalDouble.empty();
    private Optional<Word> operation = Optional.empty();
    private Optional<Word> administration = Optional.empty();
    private Map<String, Double> metrics = Map.of();

    private AgentCheck() {}

    /** Reads a line, without its end; never throws. */
    public static LoadReading parse(String line) {
        String told = line.indexOf('#') < 0 ? line : line.substring(0, line.indexOf('#'));
        AgentCheck check = new AgentCheck();
        boolean silent = true;
        for (String word : SEPARATORS.split(told.strip(), -1)) {
            if (word.isEmpty()) {
                continue; // before a separator that comes first, or after one that comes last
            }
            silent = false;
            String problem = check.take(word.toLowerCase(Locale.ROOT));
            if (!problem.isEmpty()) {
                return LoadReading.failed("agent-check: " + problem);
            }
        }
        if (silent) {
            return LoadReading.failed("agent-check: the line says nothing");
        }
        return LoadReading.of(new LoadReport(OptionalDouble.empty(), check.share, check.word(), check.metrics));
    }

    /** Maintenance and drain outweigh up, and nothing outweighs down. */
    private Optional<Word> word() {
        if (operation.filter(word -> word != Word.UP).isPresent()) {
            return operation;
        }
        return administration.isPresent() ? administration : operation;
    }

    /** Returns what is wrong with it; empty: nothing. */
    private String take(String word) {
        var percentage = PERCENTAGE.matcher(word);
        var maxconn = MAXCONN.matcher(word);
        if (percentage.matches()) {
            int percent = Integer.parseInt(percentage.group(1));
            if (share.isPresent() || percent > MOST_PERCENT) {
                return share.isPresent() ? "two percentages" : word + " is more than 100%";
            }
            share = OptionalDouble.of(percent / 100.0);
        } else if (maxconn.matches()) {
            if (!metrics.isEmpty()) {
                return "maxconn twice";
            }
            metrics = Map.of("maxconn", Double.parseDouble(maxconn.group(1)));
        } else {
            return takeState(word);
        }
        return "";
    }

    private String takeState(String word) {
        Optional<Word> known =
                switch (word) {
                    case "up" -> Optional.of(Word.UP);
                    case "down" -> Optional.of(Word.DOWN);
                    case "fail", "failed" -> Optional.of(Word.FAIL);
                    case "stopped" -> Optional.of(Word.STOPPED);
                    case "ready" -> Optional.of(Word.READY);
                    case "drain" -> Optional.of(Word.DRAIN);
                    case "maint" -> Optional.of(Word.MAINT);
                    default -> Optional.empty();
                };
        if (known.isEmpty()) {
            return Shown.quoted(word) + " is not a word of it";
        }
        boolean administrative = known.get() == Word.READY || known.get() == Word.DRAIN || known.get() == Word.MAINT;
        Optional<Word> before = administrative ? administration : operation;
        if (before.isPresent() && !before.equals(known)) {
            return "both " + before.get().name().toLowerCase(Locale.ROOT) + " and " + word;
        }
        if (administrative) {
            administration = known;
        } else {
            operation = known;
        }
        return "";
    }
}
