// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import java.net.InetAddress;
import java.util.List;

/**
 * What a packet is matched by: the identity of a service in the kernel. A configured service with several VIPs is several
 * of these, each with a table, a health and an announcement of its own, so that trouble with one VIP stays with it.
 *
 * @param port 1 to 65535
 */
public record ServiceKey(InetAddress vip, Protocol protocol, int port) {
    /** {@code tcp 192.0.2.10 port 80}. */
    @Override
    public String toString() {
        return protocol.key() + " " + IpText.of(vip) + " port " + port;
    }

    /** Where a configured service is offered by one of its VIPs. */
    public static ServiceKey of(Service service, InetAddress vip) {
        return new ServiceKey(
                vip, service.frontend().protocol(), service.frontend().port());
    }

    /** One key a VIP, in the order of the configuration. */
    public static List<ServiceKey> allOf(Service service) {
        return service.frontend().vips().stream().map(vip -> of(service, vip)).toList();
    }
}
