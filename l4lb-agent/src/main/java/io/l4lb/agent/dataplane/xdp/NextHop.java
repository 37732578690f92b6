// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.util.Optional;

/**
 * How tunnels of one address family leave.
 *
 * @param source outer source address; empty: there is none
 * @param gateway MAC of the next hop, 6 bytes; empty: not known
 * @param egress the interface that leads there; empty: the only one that packets come in by
 */
record NextHop(Optional<InetAddress> source, Optional<byte[]> gateway, Optional<Egress> egress) {
    static final NextHop UNKNOWN = new NextHop(Optional.empty(), Optional.empty());

    /** By the only interface that packets come in by. */
    NextHop(Optional<InetAddress> source, Optional<byte[]> gateway) {
        this(source, gateway, Optional.empty());
    }

    boolean known() {
        return source.isPresent() && gateway.isPresent();
    }
}
