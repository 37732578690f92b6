// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.util.Optional;

/**
 * Where packets went: the flow table, by {@link ServiceFlow}, and the first fragments of packets, by
 * {@link FragmentKey}. It may forget at any time, and may decline to remember, as beyond a rate of new flows.
 *
 * @param <K> what packets that belong together have in common
 */
public interface Memory<K> {
    /** Where the others went. */
    Optional<Remembered> recall(K key);

    /** Remembers where they go, whatever was known of it. */
    void remember(K key, Remembered real);

    /** Remembers nothing. */
    static <K> Memory<K> none() {
        return new Memory<>() {
            @Override
            public Optional<Remembered> recall(K key) {
                return Optional.empty();
            }

            @Override
            public void remember(K key, Remembered real) {}
        };
    }
}
