// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A memory that forgets nothing by itself. For one thread.
 *
 * @param <K> as of {@link Memory}
 */
public final class InMemory<K> implements Memory<K> {
    private final Map<K, Remembered> entries = new HashMap<>();

    @Override
    public Optional<Remembered> recall(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public void remember(K key, Remembered real) {
        entries.put(key, real);
    }

    /** Forgets what went to a service, as when it is taken away. */
    public void forget(String service) {
        entries.values().removeIf(real -> real.service().equals(service));
    }

    /** All that is remembered, a copy. */
    public Map<K, Remembered> all() {
        return Map.copyOf(entries);
    }
}
