// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import io.l4lb.healthcheck.check.Check;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;

/**
 * One question to one real. Equal probes have equal answers, so that one of them serves all who want it.
 *
 * @param destination the VIP and port through a tunnel, or where the real is asked directly; an address and not a name. The port is 0
 *     where the check has none (icmp)
 * @param timeout the total deadline, from the first packet to the end of the last answer; more than 0
 */
public record Probe(InetSocketAddress destination, Route route, Check check, Duration timeout) {
    public Probe {
        Objects.requireNonNull(route, "route");
        Objects.requireNonNull(check, "check");
        if (destination.isUnresolved()) {
            throw new IllegalArgumentException("a probe's destination is an address, not a name: " + destination);
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("a timeout is more than 0: " + Durations.text(timeout));
        }
    }

    /** The timeout as an operator writes it: {@code 1s}, {@code 1.5s}, {@code 300ms}. */
    public String timeoutText() {
        return Durations.text(timeout);
    }
}
