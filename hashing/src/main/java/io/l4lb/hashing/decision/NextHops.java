// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * To whom tunnel packets are handed.
 *
 * @param ipv4 towards IPv4 reals; null if not known
 * @param ipv6 towards IPv6 reals; null if not known
 */
public record NextHops(@Nullable Gateway ipv4, @Nullable Gateway ipv6) {
    /** The next hop towards that real. */
    Optional<Gateway> towards(InetAddress real) {
        return Optional.ofNullable(Tunnel.isIpv4(real) ? ipv4 : ipv6);
    }
}
