// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import org.jspecify.annotations.Nullable;

/**
 * Which real a packet goes to, and how it was found.
 *
 * @param verdict a FORWARD one, or {@link Verdict#DROP_NO_REAL}
 * @param real identity; null if there is none
 * @param slot null if the lookup table was not asked
 */
record Choice(
        Verdict verdict, @Nullable String real, @Nullable Integer slot) {
    static Choice of(Verdict verdict, String real) {
        return new Choice(verdict, real, null);
    }
}
