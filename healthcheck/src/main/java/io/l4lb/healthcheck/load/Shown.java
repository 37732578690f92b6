// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

/** What a real sent, as part of a sentence: quoted, in printable ASCII, and not long. */
final class Shown {
    private static final int MOST = 40;

    private Shown() {}

    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.chars().limit(MOST).forEach(c -> shown.append(c >= ' ' && c < 0x7f ? (char) c : '?'));
        return shown.append(text.length() > MOST ? "...\"" : "\"").toString();
    }
}
