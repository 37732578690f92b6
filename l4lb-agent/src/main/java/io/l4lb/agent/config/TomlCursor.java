// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A place in the text of a TOML file, which moves over the smallest pieces of the grammar and counts lines. */
final class TomlCursor {
    private static final int MAX_PARTS = 500;
    private static final char END = '\uffff';

    private final String text;
    private int position;
    private int line = 1;

    TomlCursor(String text) {
        this.text = text;
    }

    int position() {
        return position;
    }

    int line() {
        return line;
    }

    boolean atEnd() {
        return position >= text.length();
    }

    boolean at(String piece) {
        return text.startsWith(piece, position);
    }

    boolean skip(String piece) {
        if (!at(piece)) {
            return false;
        }
        position += piece.length();
        return true;
    }

    private char peek() {
        return atEnd() ? END : text.charAt(position);
    }

    private char next() {
        if (atEnd()) {
            return END;
        }
        char c = text.charAt(position);
        position++;
        if (c == '\n') {
            line++;
        }
        return c;
    }

    void skipBlanks() {
        while (at(" ") || at("\t")) {
            position++;
        }
    }

    /** Skips blanks, comments and line ends. */
    void skipSpace() {
        while (!atEnd()) {
            skipBlanks();
            if (at("#")) {
                skipToLineEnd();
            }
            if (!at("\n") && !at("\r\n")) {
                return;
            }
            skip("\r");
            next();
        }
    }

    /** Skips to the next line end, or to the end of the text. */
    void skipToLineEnd() {
        int end = text.indexOf('\n', position);
        position = end < 0 ? text.length() : end;
    }

    /** Skips blanks and a comment; whether a line end, or the end of the text, follows. */
    boolean skipRestOfLine() {
        skipBlanks();
        if (at("#")) {
            skipToLineEnd();
        }
        return atEnd() || at("\n") || at("\r\n");
    }

    /** Reads a key of one or more parts, but not of very many; null: there is none. */
    @Nullable
    List<String> dottedKey() {
        List<String> parts = new ArrayList<>();
        do {
            skipBlanks();
            String part = simpleKey();
            if (part == null || parts.size() == MAX_PARTS) {
                return null;
            }
            parts.add(part);
            skipBlanks();
        } while (skip("."));
        return parts;
    }

    private @Nullable String simpleKey() {
        if (at("\"") || at("'")) {
            int start = position + 1;
            return skipLineString() ? unescape(text, start, position - 1, text.charAt(start - 1)) : null;
        }
        int start = position;
        while (isBareKey(peek())) {
            position++;
        }
        return position == start ? null : text.substring(start, position);
    }

    /** Whether a key can hold this character without quotes. */
    static boolean isBareKey(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    }

    /** Skips a string of any form; whether it ends. */
    boolean skipString() {
        if (at("\"\"\"") || at("'''")) {
            return skipBlockString();
        }
        return skipLineString();
    }

    private boolean skipLineString() {
        char quote = next();
        while (!atEnd() && !at("\n")) {
            char c = next();
            if (c == quote) {
                return true;
            }
            if (c == '\\' && quote == '"' && !at("\n")) {
                next();
            }
        }
        return false;
    }

    private boolean skipBlockString() {
        String fence = text.substring(position, position + 3);
        String quote = fence.substring(0, 1);
        position += 3;
        while (!atEnd()) {
            if (skip(fence)) {
                // Up to two quotes right before the fence belong to the string.
                if (skip(quote)) {
                    skip(quote);
                }
                return true;
            }
            if (next() == '\\' && quote.equals("\"")) {
                next();
            }
        }
        return false;
    }

    /** Reads a value without quotes or brackets; null: there is none. */
    @Nullable
    String bareValue() {
        int start = position;
        while (!atEnd() && ",]}#\r\n".indexOf(peek()) < 0) {
            position++;
        }
        return position == start ? null : text.substring(start, position).strip();
    }

    private static String unescape(String text, int from, int to, char quote) {
        if (quote == '\'' || text.indexOf('\\', from) < 0) {
            return text.substring(from, to);
        }
        StringBuilder plain = new StringBuilder();
        int i = from;
        while (i < to) {
            char c = text.charAt(i++);
            if (c != '\\' || i >= to) {
                plain.append(c);
                continue;
            }
            char escape = text.charAt(i++);
            int digits = escape == 'u' ? 4 : escape == 'U' ? 8 : 0;
            int end = Math.min(to, i + digits);
            plain.append(digits == 0 ? escaped(escape) : codePoint(text, i, end));
            i = end;
        }
        return plain.toString();
    }

    private static String escaped(char c) {
        return switch (c) {
            case 'b' -> "\b";
            case 't' -> "\t";
            case 'n' -> "\n";
            case 'f' -> "\f";
            case 'r' -> "\r";
            default -> String.valueOf(c);
        };
    }

    private static String codePoint(String text, int from, int to) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = (value << 4) | (Character.digit(text.charAt(i), 16) & 0xf);
        }
        return Character.isValidCodePoint(value) ? Character.toString(value) : "";
    }
}
