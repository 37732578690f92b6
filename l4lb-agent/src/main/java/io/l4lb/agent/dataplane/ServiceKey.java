// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.FlowKey;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What a packet is matched by: the identity of a service in the kernel. A configured service with several VIPs is several
 * of these, each with a table, a health and an announcement of its own, so that trouble with one VIP stays with it.
 *
 * @param protocol any or one
 * @param port 1 to 65535, or 0: any; with any protocol, and with one that has no ports, it is 0
 */
public record ServiceKey(InetAddress vip, Protocol protocol, int port) {
    /** Any port. */
    public static final int ANY_PORT = Frontend.ANY_PORT;

    /** {@code tcp 192.0.2.10 port 80}, {@code udp 192.0.2.10 port any}, {@code esp 192.0.2.10}. */
    @Override
    public String toString() {
        return protocol.key() + " " + IpText.of(vip) + (protocol.hasPorts() ? " port " + Frontend.portText(port) : "");
    }

    /** The keys of the services that a flow may belong to: of those that there are, the first counts. */
    public static List<ServiceKey> candidates(FlowKey flow) {
        List<ServiceKey> candidates = new ArrayList<>();
        Protocol.ofNumber(flow.protocol()).ifPresent(protocol -> {
            if (protocol.hasPorts() && flow.vipPort() != ANY_PORT) {
                candidates.add(new ServiceKey(flow.vip(), protocol, flow.vipPort()));
            }
            candidates.add(new ServiceKey(flow.vip(), protocol, ANY_PORT));
        });
        candidates.add(new ServiceKey(flow.vip(), Protocol.ANY, ANY_PORT));
        return candidates;
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
