// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What it is in a packet that decides its real.
 *
 * @param layout where a QUIC connection ID has its server ID; empty unless the hash key is {@link HashKey#QUIC_CID}
 * @param servers the real that each server ID names, without the flow table and whatever its weight
 */
public record PacketKey(HashKey hashKey, Optional<ConnectionIdLayout> layout, Map<ServerId, InetAddress> servers) {
    /** Addresses, ports and protocol. */
    public static final PacketKey FIVE_TUPLE = new PacketKey(HashKey.FIVE_TUPLE, Optional.empty(), Map.of());

    public PacketKey {
        servers = Map.copyOf(servers);
    }

    /** The same without the server IDs of all but these reals. */
    public PacketKey onlyOf(Set<InetAddress> reals) {
        Map<ServerId, InetAddress> left = new HashMap<>(servers);
        left.values().retainAll(reals);
        return new PacketKey(hashKey, layout, left);
    }
}
