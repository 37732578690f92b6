// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Numbers as load reports write them: decimal. */
final class Numbers {
    private static final Pattern PLAIN = Pattern.compile("\\d{1,20}(?:\\.\\d{1,20})?");
    private static final Pattern SIGNED = Pattern.compile("-?\\d{1,20}(?:\\.\\d{1,20})?(?:[eE][+-]?\\d{1,3})?");

    private Numbers() {}

    /** From 0.0 to 1.0, without an exponent; empty: it is not. */
    static OptionalDouble share(String text) {
        if (!PLAIN.matcher(text).matches()) {
            return OptionalDouble.empty();
        }
        double number = Double.parseDouble(text);
        return number <= 1 ? OptionalDouble.of(number) : OptionalDouble.empty();
    }

    /** Any that is finite; empty: it is none. */
    static OptionalDouble finite(String text) {
        double number = SIGNED.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
    }
}
