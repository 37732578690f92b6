// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What a packet is matched by: the identity of a service in the kernel.
 *
 * @param port 1 to 65535
 */
public record ServiceKey(InetAddress vip, Protocol protocol, int port) {
    /** {@code tcp 192.0.2.10 port 80}. */
    @Override
    public String toString() {
        return protocol.key() + " " + IpText.of(vip) + " port " + port;
    }

    /** One key a VIP, in the order of the configuration. */
    public static Set<ServiceKey> of(Service service) {
        Set<ServiceKey> keys = new LinkedHashSet<>();
        for (InetAddress vip : service.frontend().vips()) {
            keys.add(new ServiceKey(
                    vip, service.frontend().protocol(), service.frontend().port()));
        }
        return keys;
    }
}
