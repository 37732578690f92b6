// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * A router that routes are announced to. The session carries the unicast routes of the address's own family and no
 * others.
 *
 * @param localAddress our end of the session; null: the source address that the kernel picks towards the neighbor
 */
public record Neighbor(
        InetAddress address, long peerAs, @Nullable InetAddress localAddress) {
    public Neighbor {
        BgpSettings.checkAs("peer AS", peerAs);
        if (address instanceof Inet6Address v6 && (v6.getScopeId() != 0 || v6.isLinkLocalAddress())) {
            throw new IllegalArgumentException("a link-local neighbor is not supported: " + IpLiteral.text(address));
        }
        if (localAddress != null && localAddress instanceof Inet6Address != address instanceof Inet6Address) {
            throw new IllegalArgumentException("neighbor " + IpLiteral.text(address) + " and local address "
                    + IpLiteral.text(localAddress) + " are not of one family");
        }
    }

    public boolean isIpv6() {
        return address instanceof Inet6Address;
    }
}
