// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import java.net.InetAddress;

/** A neighbour that {@link RouteTable#keep} made the kernel keep. */
public record KeptNeighbor(int interfaceIndex, InetAddress address) {}
