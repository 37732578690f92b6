// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/** How a packet gets to its real, which answers directly. */
public enum Forwarding {
    /** IP in IP (RFC 2003, RFC 2473, RFC 4213). */
    IPIP("ipip"),
    /** IP in generic UDP encapsulation (draft-ietf-intarea-gue, variant 1). */
    GUE("gue");

    private final String key;

    Forwarding(String key) {
        this.key = key;
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }
}
