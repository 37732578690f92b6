// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A backend server of a service.
 *
 * @param address where the tunnel to it ends
 * @param weight share of new flows relative to the service's other reals; 0: drained
 * @param serverId by which the QUIC connection IDs that it hands out name it; empty: it has none
 * @param maintenance it is not probed, and gets no packets
 * @param checkAt where it is probed directly
 */
public record Real(InetAddress address, int weight, Optional<ServerId> serverId, boolean maintenance, CheckAt checkAt) {
    /** The largest weight that the configuration takes. */
    public static final int MAX_WEIGHT = 65535;

    /**
     * Where a real is probed instead of where its service says; for direct probes alone.
     *
     * @param address empty: the real's own
     * @param port empty: the one of the health check
     */
    public record CheckAt(Optional<InetAddress> address, OptionalInt port) {
        public static final CheckAt ITSELF = new CheckAt(Optional.empty(), OptionalInt.empty());
    }

    /** A real that is in service. */
    public Real(InetAddress address, int weight, Optional<ServerId> serverId) {
        this(address, weight, serverId, false, CheckAt.ITSELF);
    }

    /** A real without a server ID. */
    public Real(InetAddress address, int weight) {
        this(address, weight, Optional.empty());
    }

    /** The identity that survives reloads, and by which all directors order their reals alike. */
    public String identity() {
        return identity(address);
    }

    /** The identity of the real at an address. */
    public static String identity(InetAddress address) {
        return address.getHostAddress();
    }
}
