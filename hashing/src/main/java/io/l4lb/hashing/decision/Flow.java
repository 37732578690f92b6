// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;

/**
 * Step 5: what is hashed.
 *
 * @param service whose flow it is
 * @param key of the service's kind: 5-tuple, or 3-tuple with ports 0
 * @param hash of the key
 */
record Flow(Service service, FlowKey key, long hash) {
    /** The flow of that 5-tuple. Of a packet without ports both are 0. */
    static Flow of(Service service, FlowKey fiveTuple, HashSeed seed) {
        FlowKey key = service.key().hashed(fiveTuple);
        return new Flow(service, key, key.hash(seed));
    }

    /** What it is remembered by. */
    ServiceFlow name() {
        return new ServiceFlow(service.name(), key);
    }
}
