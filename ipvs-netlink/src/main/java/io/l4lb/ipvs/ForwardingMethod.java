// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** How packets get to a destination. */
public sealed interface ForwardingMethod permits PlainForwarding, Tunnel {}
