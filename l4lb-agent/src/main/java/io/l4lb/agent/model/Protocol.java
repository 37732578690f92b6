// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.util.Arrays;
import java.util.Optional;

/** What a service is offered on; {@link #number} is its IP protocol number. */
public enum Protocol {
    TCP("tcp", 6, true),
    UDP("udp", 17, true),
    DCCP("dccp", 33, true),
    SCTP("sctp", 132, true),
    UDPLITE("udplite", 136, true),
    GRE("gre", 47, false),
    ESP("esp", 50, false),
    AH("ah", 51, false),
    /** Whatever no other service of the VIP is offered on. */
    ANY("any", 0, false);

    private final String key;
    private final int number;
    private final boolean ports;

    Protocol(String key, int number, boolean ports) {
        this.key = key;
        this.number = number;
        this.ports = ports;
    }

    /** The protocol of that number; empty: no service can be offered on it alone. */
    public static Optional<Protocol> ofNumber(int number) {
        return Arrays.stream(values())
                .filter(protocol -> protocol != ANY && protocol.number == number)
                .findFirst();
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }

    /** The number in the IPv4 protocol or IPv6 next header field; 0: any. */
    public int number() {
        return number;
    }

    /** Whether a service is offered on a port of it. */
    public boolean hasPorts() {
        return ports;
    }
}
