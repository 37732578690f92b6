// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

/**
 * The interface that leads to a next hop.
 *
 * @param own its MAC, 6 bytes
 */
record Egress(int interfaceIndex, byte[] own) {}
