// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.MacAddress;

/**
 * The interface that leads to a next hop.
 *
 * @param own its MAC
 */
record Egress(int interfaceIndex, MacAddress own) {}
