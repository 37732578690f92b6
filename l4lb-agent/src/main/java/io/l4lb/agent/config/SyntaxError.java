// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the TOML parser complains about, in an operator's words. */
final class SyntaxError {
    private static final String OPEN = "the file ends inside a value; is a quote or a bracket not closed?";
    private static final String BRACKETS = "the brackets around a name do not match";
    private static final Map<String, String> WORDS = words();

    private SyntaxError() {}

    private static Map<String, String> words() {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("Premature end of file", OPEN);
        words.put("EOF in wrong state", OPEN);
        words.put("Newline not permitted here", "the line ends too early; is a quote or a bracket not closed?");
        words.put("More data after value", "the line goes on after the value; is it a string without quotes?");
        words.put("Zero-prefixed ints", "a number may not start with 0");
        words.put("Unknown escape sequence", "a string has an unknown escape; write \\\\ for a backslash");
        words.put("Invalid code point", "a string has an escape that is no character");
        words.put("Trailing comma", "an inline table may not end with a comma");
        words.put("Illegal control character", "there is a control character");
        words.put("expected STD_TABLE_CLOSE", BRACKETS);
        words.put("expected ARRAY_TABLE_CLOSE", BRACKETS);
        words.put("expected KEY_VAL_SEP", "'=' is missing after the key");
        words.put("expected key or table", "a key or a [table] is missing");
        words.put("expected quoted or unquoted key", "a key is missing");
        words.put("expected value", "a value is missing");
        words.put("expected comma or", "a comma is missing");
        words.put("Invalid number", "a number is not valid");
        return words;
    }

    /** The line where it is wrong, which is not where the parser noticed it if {@code firstBroken} is before that. */
    static int line(Exception e, String text, int firstBroken) {
        JsonLocation location = location(e);
        int noticed = location == null ? 0 : lineOf(text, location.getCharOffset());
        if (noticed == 0 || firstBroken == 0) {
            return Math.max(noticed, firstBroken);
        }
        return Math.min(noticed, firstBroken);
    }

    static String message(Exception e, String text) {
        return "syntax error: " + words(e, text);
    }

    private static String words(Exception e, String text) {
        if (e instanceof StreamConstraintsException) {
            return "a value is nested too deeply or too long";
        }
        String original = e instanceof JsonProcessingException json ? json.getOriginalMessage() : "";
        for (Map.Entry<String, String> word : WORDS.entrySet()) {
            if (original.contains(word.getKey())) {
                return word.getValue();
            }
        }
        JsonLocation location = location(e);
        return location == null ? "this is not TOML" : unexpected(text, location.getCharOffset());
    }

    private static String unexpected(String text, long offset) {
        String rest = offset < 0 || offset > text.length()
                ? ""
                : text.substring((int) offset).stripLeading();
        return rest.isEmpty()
                ? "this is not TOML"
                : "unexpected " + Shown.quoted(rest.substring(0, rest.offsetByCodePoints(0, 1)))
                        + "; a string needs quotes";
    }

    private static @Nullable JsonLocation location(Exception e) {
        return e instanceof JsonProcessingException json ? json.getLocation() : null;
    }

    /** The line, from 1, that an offset is in. */
    static int lineOf(String text, long offset) {
        int end = (int) Math.max(0, Math.min(offset, text.length()));
        return 1 + (int) text.chars().limit(end).filter(c -> c == '\n').count();
    }
}
