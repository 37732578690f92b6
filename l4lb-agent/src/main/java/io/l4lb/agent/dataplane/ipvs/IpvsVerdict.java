// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import java.util.Locale;

/** What is counted of packets with IPVS: it has no counters of what it does not forward. */
public enum IpvsVerdict {
    FORWARD("IPVS sent it to its real"),
    PASS_NO_REAL("its slot names no real that may have traffic, so it was left to the director's own sockets");

    private final String reason;

    IpvsVerdict(String reason) {
        this.reason = reason;
    }

    /** In words, as those of the packet model. */
    public String reason() {
        return reason;
    }

    /** As metrics and commands show it: in lower case with dashes. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
