// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How packets travel to the reals, whatever their service.
 *
 * @param mtu of the way to the reals: the largest outer packet, in bytes from the outer IP header on
 * @param source4 outer source towards IPv4 reals; null if they cannot be reached
 * @param source6 outer source towards IPv6 reals; null if they cannot be reached
 */
public record Tunnel(
        int mtu, @Nullable OuterSource source4, @Nullable OuterSource source6) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException for an MTU that an IP packet cannot have, or a source of the wrong family
     */
    public Tunnel {
        if (mtu < 0 || mtu > 0xffff) {
            throw new IllegalArgumentException("an MTU of " + mtu);
        }
        if (source4 != null && !(source4.address() instanceof Inet4Address)) {
            throw new IllegalArgumentException("the outer source towards IPv4 reals is " + source4.address());
        }
        if (source6 != null && !(source6.address() instanceof Inet6Address)) {
            throw new IllegalArgumentException("the outer source towards IPv6 reals is " + source6.address());
        }
    }

    /** The outer source towards that real, which has its family. */
    Optional<OuterSource> source(InetAddress real) {
        return Optional.ofNullable(isIpv4(real) ? source4 : source6);
    }

    /** Whether tunnel packets may have that source. */
    boolean mayComeFrom(InetAddress address) {
        return source(address).filter(source -> source.covers(address)).isPresent();
    }

    static boolean isIpv4(InetAddress real) {
        return real instanceof Inet4Address;
    }
}
