// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.healthcheck.check.LoadSource;

/** Where a response says how loaded the real is: {@code orca}, {@code header:x-load}, {@code json:/load/cpu}. */
final class LoadLiteral {
    private static final String HEADER = "header:";
    private static final String JSON = "json:";

    private LoadLiteral() {}

    static LoadSource parse(String text) {
        try {
            if (text.equals("orca")) {
                return new LoadSource.Orca();
            }
            if (text.startsWith(HEADER)) {
                return new LoadSource.Header(text.substring(HEADER.length()));
            }
            if (text.startsWith(JSON)) {
                return new LoadSource.JsonField(text.substring(JSON.length()));
            }
        } catch (IllegalArgumentException e) {
            throw new ImpossibleValueException(Shown.quoted(text) + ": " + e.getMessage());
        }
        throw new ImpossibleValueException(
                Shown.quoted(text) + " is not known; use \"orca\", \"header:NAME\" or \"json:/POINTER\"");
    }
}
