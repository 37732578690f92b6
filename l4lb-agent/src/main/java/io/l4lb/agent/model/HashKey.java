// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/** The header fields that are hashed to find a new flow's slot. */
public enum HashKey {
    /** Source and destination address and port, and the protocol. */
    FIVE_TUPLE("5-tuple");

    private final String key;

    HashKey(String key) {
        this.key = key;
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }
}
