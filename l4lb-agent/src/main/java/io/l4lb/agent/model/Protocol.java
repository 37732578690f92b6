// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.util.Arrays;
import java.util.Optional;

/** The transport protocol of a service; {@link #number} is its IP protocol number. */
public enum Protocol {
    TCP("tcp", 6),
    UDP("udp", 17);

    private final String key;
    private final int number;

    Protocol(String key, int number) {
        this.key = key;
        this.number = number;
    }

    /** The protocol of that number; empty: no service can be offered on it. */
    public static Optional<Protocol> ofNumber(int number) {
        return Arrays.stream(values())
                .filter(protocol -> protocol.number == number)
                .findFirst();
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }

    /** The number in the IPv4 protocol or IPv6 next header field. */
    public int number() {
        return number;
    }
}
