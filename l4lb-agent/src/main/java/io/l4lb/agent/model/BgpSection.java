// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The {@code [bgp]} table; without it nothing is announced.
 *
 * @param localAs 1 to 4294967294
 * @param exabgp the program
 */
public record BgpSection(
        long localAs, Inet4Address routerId, Duration holdTime, Path exabgp, List<Neighbor> neighbors) {
    public BgpSection {
        neighbors = List.copyOf(neighbors);
    }

    /** A router: its address, whose family is that of the routes it is sent, and its AS number. */
    public record Neighbor(InetAddress address, long peerAs) {}
}
