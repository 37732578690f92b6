// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

/** What a real sent, as part of a sentence: in printable ASCII, and not long. */
final class Shown {
    private static final int MOST_QUOTED = 40;
    private static final int MOST_WORDS = 150;

    private Shown() {}

    static String quoted(String text) {
        return '"' + cut(text, MOST_QUOTED) + '"';
    }

    /** Without quotes: a name, or a sentence of somebody else's in which a real is quoted at length. */
    static String words(String text) {
        return cut(text, MOST_WORDS);
    }

    /** Whether it is text, in any language, that does nothing to a terminal but appear on it. */
    static boolean isPlain(String text) {
        return text.codePoints().noneMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        });
    }

    private static String cut(String text, int most) {
        StringBuilder shown = new StringBuilder();
        text.chars().limit(most).forEach(c -> shown.append(c >= ' ' && c < 0x7f ? (char) c : '?'));
        return text.length() > most ? shown.append("...").toString() : shown.toString();
    }
}
