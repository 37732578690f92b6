// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

/**
 * A real as a lookup table sees it.
 *
 * @param identity what names the real on every director, whatever the history: its slots depend on it
 * @param weight its share of the slots relative to the other reals' weights; 0 = drained, no slots
 */
public record WeightedReal(String identity, int weight) {
    /**
     * Checks both.
     *
     * @throws IllegalArgumentException for an empty identity or a negative weight
     */
    public WeightedReal {
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("a real needs an identity");
        }
        if (weight < 0) {
            throw new IllegalArgumentException("weight " + weight + " of real " + identity + " is negative");
        }
    }
}
