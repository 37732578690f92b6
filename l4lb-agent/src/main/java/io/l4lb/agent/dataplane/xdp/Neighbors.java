// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.netlink.route.KeptNeighbor;
import io.l4lb.netlink.route.Neighbor;
import io.l4lb.netlink.route.RouteTable;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The neighbours that packets go to. What XDP sends does not show in the kernel's neighbour table, where what nobody uses
 * gets old and is forgotten: so the kernel is told to keep them, which it does without the agent too. For one thread.
 */
final class Neighbors {
    private final RouteTable routes;
    private final Set<KeptNeighbor> wanted = new HashSet<>();
    private Set<KeptNeighbor> kept;

    /** Those that a predecessor had kept are there in the beginning. */
    Neighbors(RouteTable routes) {
        this.routes = routes;
        this.kept = Set.copyOf(routes.kept());
    }

    /** The MAC address, 6 bytes, if the kernel knows it; if it does not, it finds out. */
    Optional<byte[]> mac(int interfaceIndex, InetAddress address) {
        if (wanted.add(new KeptNeighbor(interfaceIndex, address))) {
            routes.keep(interfaceIndex, address);
        }
        return routes.neighbor(interfaceIndex, address).map(Neighbor::mac).map(mac -> mac.toBytes());
    }

    /** Ends a round: those that nobody asked for since the last one need not be kept any more. */
    void settle() {
        for (KeptNeighbor neighbor : kept) {
            if (!wanted.contains(neighbor)) {
                routes.release(neighbor);
            }
        }
        kept = Set.copyOf(wanted);
        wanted.clear();
    }
}
