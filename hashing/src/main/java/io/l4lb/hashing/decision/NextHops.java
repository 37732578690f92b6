// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.MacAddress;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The gateways' MAC addresses.
 *
 * @param ipv4 of the next hop towards IPv4 reals; null if not known
 * @param ipv6 of the next hop towards IPv6 reals; null if not known
 */
public record NextHops(@Nullable MacAddress ipv4, @Nullable MacAddress ipv6) {
    /** The next hop towards that real. */
    Optional<MacAddress> towards(InetAddress real) {
        return Optional.ofNullable(Tunnel.isIpv4(real) ? ipv4 : ipv6);
    }
}
