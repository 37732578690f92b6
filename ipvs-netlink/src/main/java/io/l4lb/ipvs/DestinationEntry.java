// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** A destination as the kernel reports it. */
public record DestinationEntry(Destination destination, Connections connections, Statistics statistics) {}
