// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.util.Optional;

/** Where fragmented packets went whose first fragment was seen. It may forget at any time. */
public interface FragmentMemory {
    /** Where the first fragment went. */
    Optional<Remembered> recall(FragmentKey packet);

    /** Remembers where the first fragment goes. */
    void remember(FragmentKey packet, Remembered real);

    /** Remembers nothing. */
    static FragmentMemory none() {
        return new FragmentMemory() {
            @Override
            public Optional<Remembered> recall(FragmentKey packet) {
                return Optional.empty();
            }

            @Override
            public void remember(FragmentKey packet, Remembered real) {}
        };
    }
}
