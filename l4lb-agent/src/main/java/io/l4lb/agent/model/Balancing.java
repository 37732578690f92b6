// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import java.util.Optional;

/**
 * How a service's flows are spread over its reals and sent to them.
 *
 * @param connectionIds where a QUIC connection ID has its server ID; there if, and only if, the hash key is
 *     {@link HashKey#QUIC_CID}
 */
public record Balancing(
        Scheduling scheduling, HashKey hashKey, Optional<ConnectionIdLayout> connectionIds, Forwarding forwarding) {
    public Balancing {
        if ((hashKey == HashKey.QUIC_CID) != connectionIds.isPresent()) {
            throw new IllegalArgumentException("a layout of connection IDs belongs to " + HashKey.QUIC_CID.key()
                    + ", not to " + hashKey.key() + ", and the other way round");
        }
    }
}
