// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Objects;
import java.util.Optional;

/**
 * The connection is made. If there is something to send it is sent; if an answer is expected it has to come. The connection is reset
 * as soon as the verdict is known.
 *
 * @param send sent once connected; empty: nothing
 * @param expect what the answer so far must match, see {@link Match}; empty: nothing is read
 * @param agentCheck the answer is one line of HAProxy's agent-check: a load report; excludes {@code expect}
 */
public record TcpCheck(Octets send, Optional<Match> expect, boolean agentCheck) implements Check {
    public TcpCheck {
        Objects.requireNonNull(send, "send");
        if (agentCheck && expect.isPresent()) {
            throw new IllegalArgumentException("an agent-check's answer is not matched with anything else");
        }
    }

    /** The handshake alone. */
    public TcpCheck() {
        this(Octets.NONE, Optional.empty(), false);
    }

    @Override
    public String type() {
        return "tcp";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.tcp(this);
    }
}
