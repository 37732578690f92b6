// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * What an answer must hold: a text, or something that a regular expression finds. Expressions are RE2's, so that no answer can make
 * one run for longer than its length warrants.
 */
public final class Match {
    private final String text;
    private final boolean regex;
    private final Pattern pattern;

    private Match(String text, boolean regex) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("what is looked for is not empty");
        }
        this.text = text;
        this.regex = regex;
        this.pattern = Pattern.compile(regex ? text : Pattern.quote(text));
    }

    /** The answer contains this text, letter for letter. */
    public static Match containing(String text) {
        return new Match(text, false);
    }

    /**
     * A regular expression in RE2's syntax finds something in the answer.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static Match regex(String expression) {
        try {
            return new Match(expression, true);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(e.getDescription() + ": " + e.getPattern(), e);
        }
    }

    /** Whether it is in an answer. */
    public boolean in(CharSequence answer) {
        return pattern.matcher(answer).find();
    }

    public String text() {
        return text;
    }

    public boolean isRegex() {
        return regex;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Match that && regex == that.regex && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return 31 * text.hashCode() + Boolean.hashCode(regex);
    }

    @Override
    public String toString() {
        return regex ? "/" + text + "/" : "\"" + text + "\"";
    }
}
