// SPDX-License-Identifier: Apache-2.0
/**
 * The route speaker over ExaBGP 4.2.21: its process and files, the conversation with it through bridge.py, and the rules
 * under which it does what it was told (see {@link io.l4lb.bgp.exabgp.NeighborRoutes}).
 */
@NullMarked
package io.l4lb.bgp.exabgp;

import org.jspecify.annotations.NullMarked;
