// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A flow table that forgets nothing. For one thread. */
public final class InMemoryFlows implements FlowMemory {
    private final Map<FlowKey, Remembered> flows = new HashMap<>();

    @Override
    public Optional<Remembered> recall(FlowKey flow) {
        return Optional.ofNullable(flows.get(flow));
    }

    @Override
    public void remember(FlowKey flow, Remembered real) {
        flows.put(flow, real);
    }

    /** All that is remembered, a copy. */
    public Map<FlowKey, Remembered> all() {
        return Map.copyOf(flows);
    }
}
