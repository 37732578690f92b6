// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.Match;
import org.jspecify.annotations.Nullable;

/** What came over a TCP connection so far, up to a limit, one character an octet. */
final class Answer {
    /** An answer of up to this length is looked at with each piece that comes. */
    private static final int EAGER = 4 * 1024;

    /** A longer one once this much has come since: a drip of single octets would cost the square of its length. */
    private static final int STEP = 1024;

    private final @Nullable Match expected;
    private final int limit;
    private final StringBuilder text = new StringBuilder();
    private int examined;

    Answer(@Nullable Match expected, int limit) {
        this.expected = expected;
        this.limit = limit;
    }

    /** What is past the limit is dropped. */
    void add(String piece) {
        text.append(piece, 0, Math.min(piece.length(), limit - text.length()));
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    boolean isFull() {
        return text.length() == limit;
    }

    int length() {
        return text.length();
    }

    /** @param last false: it may wait for more to come before it looks */
    boolean matches(boolean last) {
        if (expected == null || !(last || text.length() <= EAGER || text.length() - examined >= STEP)) {
            return false;
        }
        examined = text.length();
        return expected.in(text);
    }

    /** Where the first line ends, by CR or LF; -1: not yet. */
    int lineEnd() {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n' || text.charAt(i) == '\r') {
                return i;
            }
        }
        return -1;
    }

    String upTo(int end) {
        return text.substring(0, end);
    }
}
