// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** A destination as it is asked for. */
public record Destination(DestinationIdentity identity, DestinationSettings settings) {}
