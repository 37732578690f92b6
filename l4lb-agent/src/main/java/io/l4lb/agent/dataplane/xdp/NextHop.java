// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.util.Optional;

/**
 * How tunnels of one address family leave.
 *
 * @param source outer source address; empty: there is none
 * @param gateway MAC of the next hop, 6 bytes; empty: not known
 */
record NextHop(Optional<InetAddress> source, Optional<byte[]> gateway) {
    boolean known() {
        return source.isPresent() && gateway.isPresent();
    }
}
