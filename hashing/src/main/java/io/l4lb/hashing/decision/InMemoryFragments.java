// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A fragment memory that forgets nothing. For one thread. */
public final class InMemoryFragments implements FragmentMemory {
    private final Map<FragmentKey, Remembered> packets = new HashMap<>();

    @Override
    public Optional<Remembered> recall(FragmentKey packet) {
        return Optional.ofNullable(packets.get(packet));
    }

    @Override
    public void remember(FragmentKey packet, Remembered real) {
        packets.put(packet, real);
    }

    /** All that is remembered, a copy. */
    public Map<FragmentKey, Remembered> all() {
        return Map.copyOf(packets);
    }
}
