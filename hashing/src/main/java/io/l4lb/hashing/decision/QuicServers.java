// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.util.Map;

/**
 * How the reals of a service name themselves in QUIC connection IDs.
 *
 * @param layout of their connection IDs
 * @param reals server ID to identity of the real
 */
public record QuicServers(ConnectionIdLayout layout, Map<ServerId, String> reals) {
    /** Copies the map. */
    public QuicServers {
        reals = Map.copyOf(reals);
    }
}
