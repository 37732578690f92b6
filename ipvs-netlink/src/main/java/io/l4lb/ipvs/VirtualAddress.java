// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;

/**
 * A service by its address (IPVS_SVC_ATTR_PROTOCOL, _ADDR, _PORT; address and port in network byte order there).
 *
 * @param protocol IP protocol number, 0 to 255; IPVS balances TCP (6), UDP (17) and SCTP (132)
 * @param port 0 to 65535; 0 means all ports, which only works with persistence
 */
public record VirtualAddress(InetAddress address, int protocol, int port) implements ServiceIdentity {
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int SCTP = 132;

    public VirtualAddress {
        if (protocol < 0 || protocol > 255) {
            throw new IllegalArgumentException("IP protocol " + protocol);
        }
        Endpoint.checkPort(port);
    }

    @Override
    public AddressFamily family() {
        return AddressFamily.of(address);
    }

    /** Such as {@code "tcp 192.0.2.10:80"}. */
    @Override
    public String toString() {
        String name =
                switch (protocol) {
                    case TCP -> "tcp";
                    case UDP -> "udp";
                    case SCTP -> "sctp";
                    default -> "protocol " + protocol;
                };
        return name + " " + Endpoint.text(address, port);
    }
}
