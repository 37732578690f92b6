// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is known of where text is shown.
 *
 * @param width in characters
 * @param blocks whether it can show block characters
 */
record Terminal(int width, boolean blocks) {
    private static final int DEFAULT_WIDTH = 80;
    private static final int NARROWEST = 40;
    private static final int WIDEST = 200;
    /** Eighths of a block, from one to seven. */
    private static final String PARTS = "\u258f\u258e\u258d\u258c\u258b\u258a\u2589";

    private static final String BLOCK = "\u2588";
    private static final int EIGHTHS = 8;

    /** By the variables that shells and terminals set: {@code COLUMNS}, and those of the locale. */
    static Terminal of(Map<String, String> environment) {
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(variable -> environment.getOrDefault(variable, ""))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("")
                .toUpperCase(Locale.ROOT);
        boolean utf8 = locale.contains("UTF-8") || locale.contains("UTF8");
        return new Terminal(width(environment.getOrDefault("COLUMNS", "")), utf8);
    }

    private static int width(String columns) {
        if (!columns.matches("[1-9][0-9]{0,5}")) {
            return DEFAULT_WIDTH;
        }
        return Math.min(Math.max(NARROWEST, Integer.parseInt(columns)), WIDEST);
    }

    /**
     * A bar whose length stands for a number. One above 0 is always seen.
     *
     * @param longest characters that stand for {@code most}
     */
    String bar(double value, double most, int longest) {
        if (value <= 0) {
            return "";
        }
        double length = longest * Math.min(1, value / most);
        if (!blocks) {
            return "#".repeat((int) Math.max(1, Math.round(length)));
        }
        int eighths = (int) Math.max(1, Math.round(length * EIGHTHS));
        int rest = eighths % EIGHTHS;
        return BLOCK.repeat(eighths / EIGHTHS) + (rest == 0 ? "" : PARTS.charAt(rest - 1));
    }
}
