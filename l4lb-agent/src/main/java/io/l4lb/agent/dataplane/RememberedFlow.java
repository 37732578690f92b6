// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * An entry of the flow table.
 *
 * @param service whose it is
 * @param client its end
 * @param vip the other end: the VIP, its port, and the protocol
 * @param real to which it goes
 * @param idle since its last packet, to about a second; empty: without any timeout nobody notes when that was
 * @param counts whether packets follow it: its time is not over, and its real may have it
 */
public record RememberedFlow(
        ServiceKey service,
        Client client,
        VipEnd vip,
        InetAddress real,
        State state,
        Optional<Duration> idle,
        boolean counts) {
    /**
     * The client's end.
     *
     * @param port 0: any, since its service does not look at ports, or the protocol has none
     */
    public record Client(InetAddress address, int port) {}

    /**
     * The service's end. Of a service of any protocol or port this says more than its key.
     *
     * @param protocol its IP protocol number
     * @param port 0: any
     */
    public record VipEnd(int protocol, int port) {}

    /** In the order of {@code enum flow_state} in {@code l4lb.h}. */
    public enum State {
        /** Not TCP. */
        OTHER,
        /** TCP: the client's SYN, nothing since. */
        OPENING,
        /** TCP: some other packet. */
        ESTABLISHED,
        /** TCP: the client's FIN or RST. */
        CLOSING;

        /** In lower case. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
