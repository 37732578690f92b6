// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/**
 * The healthy reals that a service needs before its VIPs are announced.
 *
 * @param value a number of reals (at least 1), or a percentage (1 to 100)
 * @param percent whether {@code value} is a percentage of the reals with a weight above 0
 */
public record Quorum(int value, boolean percent) {
    public Quorum {
        if (value < 1 || (percent && value > 100)) {
            throw new IllegalArgumentException("quorum " + value + (percent ? "%" : ""));
        }
    }

    /**
     * Whether a service may be announced. Without a healthy real it never may.
     *
     * @param healthy reals that are up and have a weight above 0
     * @param of all reals with a weight above 0
     */
    public boolean met(int healthy, int of) {
        return healthy > 0 && (percent ? 100L * healthy >= (long) value * of : healthy >= value);
    }

    /** As written in the configuration: {@code 1} or {@code 30%}. */
    @Override
    public String toString() {
        return percent ? value + "%" : Integer.toString(value);
    }
}
