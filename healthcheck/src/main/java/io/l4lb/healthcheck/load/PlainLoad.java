// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import java.util.OptionalDouble;

/** A header that has one decimal number from 0.0 to 1.0: {@code 0.75}. */
public final class PlainLoad {
    private PlainLoad() {}

    /**
     * Reads a header's value; never throws.
     *
     * @param name of the header, for the words of a problem
     */
    public static LoadReading parse(String name, String value) {
        OptionalDouble share = Numbers.share(value.strip());
        return share.isPresent()
                ? LoadReading.of(LoadReport.ofUtilization(share.getAsDouble()))
                : LoadReading.failed(
                        "header " + name + ": " + Shown.quoted(value) + " is not a number from 0.0 to 1.0");
    }
}
