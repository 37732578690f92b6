// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;

/**
 * What tells a destination from the others of its service. Its family may be another than the service's, with tunnels and
 * while no sync daemon runs (EINVAL otherwise).
 *
 * @param port 0 to 65535; tunnels and direct routing leave a packet's port as it is, whatever this says. Of a service by
 *     mark it is 0.
 */
public record DestinationIdentity(InetAddress address, int port) {
    public DestinationIdentity {
        Endpoint.checkPort(port);
    }

    public AddressFamily family() {
        return AddressFamily.of(address);
    }

    /** Such as {@code "10.0.0.1:80"} or {@code "[2001:db8:0:0:0:0:0:1]:80"}. */
    @Override
    public String toString() {
        return Endpoint.text(address, port);
    }
}
