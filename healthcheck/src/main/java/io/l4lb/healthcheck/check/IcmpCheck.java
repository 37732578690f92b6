// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

/** An ICMP echo request (RFC 792, RFC 4443) is answered. */
public record IcmpCheck() implements Check {
    @Override
    public String type() {
        return "icmp";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.icmp(this);
    }
}
