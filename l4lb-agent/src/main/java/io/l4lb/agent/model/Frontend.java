// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;
import java.util.List;

/**
 * Where a service is offered.
 *
 * @param vips virtual IP addresses, IPv4 and IPv6, without repeats, at least one
 * @param port 1 to 65535
 */
public record Frontend(List<InetAddress> vips, Protocol protocol, int port) {
    public Frontend {
        vips = List.copyOf(vips);
    }
}
