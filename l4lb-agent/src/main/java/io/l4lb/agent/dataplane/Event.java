// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.util.Locale;

/** What a dataplane counts besides packets. The names are those of {@code enum event} in {@code l4lb.h}. */
public enum Event {
    FLOW_ADDED("a flow is remembered, or goes to another real than was remembered"),
    FLOW_EXPIRED("a remembered flow was found, but its time was over"),
    FLOW_OVER_LIMIT("a flow is not remembered: more new ones than new-flow-limit allows"),
    FLOW_REFUSED("a flow is not remembered: no room was found"),
    CAPTURE_LOST("a packet was not copied: the ring buffer is full");

    private final String meaning;

    Event(String meaning) {
        this.meaning = meaning;
    }

    /** In words. */
    public String meaning() {
        return meaning;
    }

    /** As metrics and commands show it: in lower case with dashes. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
