// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * The connections of a destination at this moment, unsigned 32 bits each.
 *
 * @param active established ones
 * @param inactive those in other states, and all of UDP
 * @param persistent templates that keep clients here
 */
public record Connections(long active, long inactive, long persistent) {
    public static final Connections NONE = new Connections(0, 0, 0);
}
