// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.util.Locale;

/** Why a packet is treated as it is. The names are those of {@code enum verdict} in {@code l4lb.h}. */
public enum Verdict {
    PASS_NOT_IP(Action.PASS, "it is not IP, or its IP header is not whole"),
    PASS_NO_SERVICE(Action.PASS, "no service has this VIP, protocol and port"),
    PASS_FRAGMENT(Action.PASS, "it is a fragment without ports, and no service of its VIP has its protocol"),
    FORWARD_FLOW(Action.TRANSMIT, "the flow table remembers this flow"),
    FORWARD_TABLE(Action.TRANSMIT, "no flow is remembered, or a SYN begins one, so it goes by its slot"),
    DROP_MALFORMED(Action.DROP, "it is for a service, but its headers contradict each other"),
    DROP_NO_REAL(Action.DROP, "its slot names no real that may have traffic"),
    DROP_TTL(Action.DROP, "its time to live, or hop limit, is used up"),
    DROP_TOO_BIG(Action.DROP, "it would not fit the MTU once encapsulated"),
    DROP_NO_NEXT_HOP(Action.DROP, "the gateway's MAC or the outer source is unknown"),
    /** The driver's matter: the model has no driver and never says so. */
    DROP_NO_HEADROOM(Action.DROP, "the driver left no room for the outer header"),
    FORWARD_SERVER_ID(Action.TRANSMIT, "the server ID in its QUIC connection ID names the real"),
    FORWARD_FRAGMENT(Action.TRANSMIT, "it is a fragment and follows its first"),
    DROP_FRAGMENT(Action.DROP, "it is a fragment without ports, and its first was not seen"),
    ANSWER_ECHO(Action.TRANSMIT, "it is an echo request to a VIP, which the director answers"),
    ANSWER_TOO_BIG(Action.TRANSMIT, "it would not fit the MTU once encapsulated, which its sender is told"),
    ANSWER_PATH_MTU(
            Action.TRANSMIT, "a router found a tunnel packet too big, which the sender of what was in it is told");

    private final Action action;
    private final String reason;

    Verdict(Action action, String reason) {
        this.action = action;
        this.reason = reason;
    }

    /** What becomes of the packet. */
    public Action action() {
        return action;
    }

    /** The reason in words: a clause that begins in lower case and ends without a full stop. */
    public String reason() {
        return reason;
    }

    /** As metrics and commands show it: in lower case with dashes. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
