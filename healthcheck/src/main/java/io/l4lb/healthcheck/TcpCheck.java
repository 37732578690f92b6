// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** The handshake completes: nothing is sent, and the connection is reset at once. */
public record TcpCheck() implements Check {
    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.tcp(this);
    }
}
