// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a director knows of one service, which may be offered at several VIPs and ports. Immutable. */
public final class Service {
    private final String name;
    private final HashKey key;
    private final LookupTable table;
    private final Map<String, InetAddress> active;
    private final Encapsulation encapsulation;
    private final @Nullable QuicServers quic;

    private Service(
            String name,
            HashKey key,
            LookupTable table,
            Map<String, InetAddress> active,
            Encapsulation encapsulation,
            @Nullable QuicServers quic) {
        this.name = name;
        this.key = key;
        this.table = table;
        this.active = Map.copyOf(active);
        this.encapsulation = encapsulation;
        this.quic = quic;
    }

    /**
     * A service whose flows are hashed, and travel IP in IP.
     *
     * @param name unique among the director's services
     * @param key 5-tuple or 3-tuple
     * @param table where new flows go
     * @param active the reals that may have traffic, up or drained: identity to where its tunnel ends. A slot, a
     *     remembered flow or a server ID that names another real counts for nothing
     * @throws IllegalArgumentException for {@link HashKey#QUIC_CID}
     */
    public static Service of(String name, HashKey key, LookupTable table, Map<String, InetAddress> active) {
        if (key == HashKey.QUIC_CID) {
            throw new IllegalArgumentException("service " + name + " needs the layout of its connection IDs");
        }
        return new Service(name, key, table, active, Encapsulation.IPIP, null);
    }

    /** A service with {@link HashKey#QUIC_CID}; the parameters are those of {@link #of}. */
    public static Service ofQuic(String name, LookupTable table, Map<String, InetAddress> active, QuicServers quic) {
        return new Service(name, HashKey.QUIC_CID, table, active, Encapsulation.IPIP, quic);
    }

    /** The same service with another way to its reals. */
    public Service withEncapsulation(Encapsulation other) {
        return new Service(name, key, table, active, other, quic);
    }

    /** Unique among the director's services. */
    public String name() {
        return name;
    }

    /** What is hashed. */
    public HashKey key() {
        return key;
    }

    /** Where new flows go. */
    public LookupTable table() {
        return table;
    }

    /** Where the real's tunnel ends; empty if it may not have traffic. */
    public Optional<InetAddress> tunnelEnd(String real) {
        return Optional.ofNullable(active.get(real));
    }

    /** How its packets travel to its reals. */
    public Encapsulation encapsulation() {
        return encapsulation;
    }

    /** The layout of QUIC connection IDs and who has which server ID, if the key is {@link HashKey#QUIC_CID}. */
    public Optional<QuicServers> quic() {
        return Optional.ofNullable(quic);
    }

    @Override
    public String toString() {
        return "Service[" + name + ", " + key.key() + ", " + table + ", " + encapsulation + ", active "
                + active.keySet() + "]";
    }
}
