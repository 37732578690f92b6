// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.packet.Fragment;
import java.util.Optional;

/**
 * Step 4: the first fragment of a packet carries the ports; the others follow it. Where the ports do not matter they
 * find their real without it.
 */
final class Fragments {
    private final Memory<FragmentKey> memory;

    Fragments(Memory<FragmentKey> memory) {
        this.memory = memory;
    }

    /** Where the first fragment went, and of whose service it was; empty for what counts no more. */
    Optional<Remembered> recall(Packet packet, Services services) {
        return packet.fragmentKey().flatMap(memory::recall).filter(entry -> services.named(entry.service())
                .flatMap(service -> service.tunnelEnd(entry.real()))
                .isPresent());
    }

    /** Remembers where a first fragment goes, unless the others need no memory. */
    void remember(Packet packet, Services.Match match, Choice choice) {
        boolean othersFindIt = !match.byPort()
                && match.service().key() == HashKey.THREE_TUPLE
                && packet.ip()
                        .fragment()
                        .map(Fragment::protocol)
                        .equals(Optional.of(packet.ip().protocol()));
        if (choice.real() != null && !othersFindIt) {
            Remembered real = new Remembered(match.service().name(), choice.real());
            packet.fragmentKey().ifPresent(key -> memory.remember(key, real));
        }
    }
}
