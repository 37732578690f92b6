// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The sessions of one director.
 *
 * @param holdTime whole seconds, 3 or more (RFC 4271, 4.2)
 */
public record BgpSettings(
        long localAs, Inet4Address routerId, List<Neighbor> neighbors, Duration holdTime, ExaBgpSettings exabgp) {
    /** Keepalives every 3 s; a silent director is out of the routers' tables within 9 s. */
    public static final Duration DEFAULT_HOLD_TIME = Duration.ofSeconds(9);

    private static final long MAX_AS = 0xffffffffL;
    private static final long MAX_HOLD_SECONDS = 0xffff;

    public BgpSettings {
        checkAs("local AS", localAs);
        neighbors = List.copyOf(neighbors);
        Set<InetAddress> seen = new HashSet<>();
        for (Neighbor neighbor : neighbors) {
            if (!seen.add(neighbor.address())) {
                throw new IllegalArgumentException(
                        "neighbor " + IpLiteral.text(neighbor.address()) + " is there twice");
            }
        }
        if (neighbors.isEmpty()) {
            throw new IllegalArgumentException("no neighbor");
        }
        long seconds = holdTime.toSeconds();
        if (seconds < 3 || seconds > MAX_HOLD_SECONDS || !holdTime.equals(Duration.ofSeconds(seconds))) {
            throw new IllegalArgumentException("hold time " + holdTime + " is not 3 to 65535 whole seconds");
        }
    }

    static void checkAs(String what, long number) {
        if (number < 1 || number > MAX_AS) {
            throw new IllegalArgumentException(what + " " + number + " is not 1 to " + MAX_AS);
        }
    }
}
