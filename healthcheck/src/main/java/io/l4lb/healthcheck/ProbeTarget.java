// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.net.InetSocketAddress;
import java.util.Objects;

/**
 * One thing to probe: a VIP and port by way of one real.
 *
 * @param id the stable identity; health is carried by it over every change of the other fields
 * @param destination VIP and port, an address and not a name
 * @param mark the socket mark (SO_MARK, 32 bits) by which the kernel's egress program encapsulates to that real; 0: none
 */
public record ProbeTarget(String id, InetSocketAddress destination, int mark, Check check, Timing timing) {
    public ProbeTarget {
        Objects.requireNonNull(check, "check");
        Objects.requireNonNull(timing, "timing");
        if (id.isBlank()) {
            throw new IllegalArgumentException("a probe target needs an id");
        }
        if (destination.isUnresolved()) {
            throw new IllegalArgumentException("a probe's destination is an address, not a name: " + destination);
        }
        if (destination.getPort() == 0) {
            throw new IllegalArgumentException("a probe's destination needs a port: " + destination);
        }
    }

    /** Whether a verdict of {@code other} says something about this target too: all but the timing is equal. */
    boolean probesLike(ProbeTarget other) {
        return id.equals(other.id)
                && destination.equals(other.destination)
                && mark == other.mark
                && check.equals(other.check);
    }
}
