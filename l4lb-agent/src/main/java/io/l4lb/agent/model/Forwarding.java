// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/** How a packet gets to its real, which answers the client directly, except with masquerade. */
public enum Forwarding {
    /** IP in IP (RFC 2003, RFC 2473, RFC 4213). */
    IPIP("ipip"),
    /** IP in generic UDP encapsulation (draft-ietf-intarea-gue, variant 1). */
    GUE("gue"),
    /** IP in GRE (RFC 2784). */
    GRE("gre"),
    /** To the real's MAC address, which has to be on a link of the director's. */
    DIRECT("direct"),
    /** By network address translation: the real answers through the director. */
    MASQUERADE("masquerade");

    private final String key;

    Forwarding(String key) {
        this.key = key;
    }

    /** Whether the XDP dataplane has it too; else it is of IPVS alone. */
    public boolean inXdp() {
        return this == IPIP || this == GUE;
    }

    /** Whether the packet travels in another one, whose family may be another. */
    public boolean isTunnel() {
        return this == IPIP || this == GUE || this == GRE;
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }
}
