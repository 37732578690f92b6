// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * How a destination is used.
 *
 * @param weight 0 to 2^31-1; with 0 it gets no new connections
 */
public record DestinationSettings(int weight, ForwardingMethod forwarding, Thresholds thresholds) {
    public DestinationSettings {
        if (weight < 0) {
            throw new IllegalArgumentException("weight " + weight);
        }
    }

    /** Without thresholds. */
    public static DestinationSettings of(int weight, ForwardingMethod forwarding) {
        return new DestinationSettings(weight, forwarding, Thresholds.NONE);
    }
}
