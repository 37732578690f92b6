// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Objects;
import java.util.Optional;

/**
 * One datagram. An ICMP unreachable is a failure. Where an answer is expected, one that does not match is a failure at once; where
 * none is, the probe succeeds with any answer, or when the deadline has passed without an ICMP error.
 *
 * @param send the datagram, not empty
 */
public record UdpCheck(Octets send, Optional<Match> expect) implements Check {
    public UdpCheck {
        if (send.length() == 0) {
            throw new IllegalArgumentException("a datagram has something in it");
        }
        Objects.requireNonNull(expect, "expect");
    }

    @Override
    public String type() {
        return "udp";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.udp(this);
    }
}
