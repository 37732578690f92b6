// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** A destination as it is asked for. */
public record Destination(DestinationIdentity identity, DestinationSettings settings) {
    /** The same with another weight, see {@link DestinationSettings#weight}. */
    public Destination withWeight(int weight) {
        return new Destination(identity, new DestinationSettings(weight, settings.forwarding(), settings.thresholds()));
    }
}
