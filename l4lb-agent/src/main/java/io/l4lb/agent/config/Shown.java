// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

/** Text of a file as messages show it: on one line, in quotes, not too long. */
final class Shown {
    private static final int MAX_LENGTH = 60;

    private Shown() {}

    static String quoted(String text) {
        return '"' + plain(text) + '"';
    }

    static String plain(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MAX_LENGTH)
                .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) || !Character.isDefined(c) ? '?' : c));
        return text.codePointCount(0, text.length()) > MAX_LENGTH ? shown + "…" : shown.toString();
    }
}
