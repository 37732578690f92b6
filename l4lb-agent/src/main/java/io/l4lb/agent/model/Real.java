// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.Optional;

/**
 * A backend server of a service.
 *
 * @param address where the tunnel to it ends
 * @param weight share of new flows relative to the service's other reals; 0: drained
 * @param serverId by which the QUIC connection IDs that it hands out name it; empty: it has none
 */
public record Real(InetAddress address, int weight, Optional<ServerId> serverId) {
    /** The largest weight that the configuration takes. */
    public static final int MAX_WEIGHT = 65535;

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
