// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;
import java.util.List;

/**
 * Where a service is offered.
 *
 * @param vips virtual IP addresses, IPv4 and IPv6, without repeats, at least one
 * @param port 1 to 65535, or 0: any. With any protocol, and with one that has no ports, it is 0
 */
public record Frontend(List<InetAddress> vips, Protocol protocol, int port) {
    /** Any port. */
    public static final int ANY_PORT = 0;

    public Frontend {
        vips = List.copyOf(vips);
    }

    /** {@code 80}, {@code any}. */
    public static String portText(int port) {
        return port == ANY_PORT ? "any" : Integer.toString(port);
    }
}
