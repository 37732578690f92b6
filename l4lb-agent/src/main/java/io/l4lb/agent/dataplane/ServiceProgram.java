// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.Set;

/**
 * What the kernel shall do for one service.
 *
 * @param packetKey its server IDs name active reals alone, so that the others leave nothing behind
 * @param forwarding how packets travel to all of its reals
 * @param table its reals are named by their addresses' literals
 * @param active reals to which flows that are already known may still go: those in the table, and drained ones
 */
public record ServiceProgram(
        ServiceKey key, PacketKey packetKey, Forwarding forwarding, LookupTable table, Set<InetAddress> active) {
    public ServiceProgram {
        active = Set.copyOf(active);
        if (!active.containsAll(packetKey.servers().values())) {
            throw new IllegalArgumentException("a server ID names a real that is not active: " + packetKey.servers());
        }
    }
}
