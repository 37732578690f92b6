// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Services and destinations of every kind. */
final class Samples {
    static final VirtualAddress WEB = new VirtualAddress(address("192.0.2.10"), VirtualAddress.TCP, 80);
    static final VirtualAddress WEB6 = new VirtualAddress(address("2001:db8::10"), VirtualAddress.TCP, 443);
    static final FirewallMark MARK = new FirewallMark(0x80000005, AddressFamily.INET);
    static final FirewallMark MARK6 = new FirewallMark(0x80000005, AddressFamily.INET6);
    static final DestinationIdentity REAL = new DestinationIdentity(address("10.0.0.1"), 80);
    static final DestinationIdentity REAL6 = new DestinationIdentity(address("2001:db8:1::1"), 443);

    static final List<Service> SERVICES = List.of(
            new Service(WEB, ServiceSettings.of("wrr")),
            new Service(
                    WEB6,
                    new ServiceSettings(
                            "mh",
                            Set.of(ServiceFlag.MH_FALLBACK, ServiceFlag.MH_PORT),
                            Optional.empty(),
                            Optional.empty())),
            new Service(
                    new VirtualAddress(address("192.0.2.11"), VirtualAddress.UDP, 5060),
                    new ServiceSettings(
                            "rr",
                            Set.of(ServiceFlag.ONE_PACKET),
                            Optional.of(new Persistence(Duration.ofSeconds(300), 32)),
                            Optional.of("sip"))),
            new Service(
                    new VirtualAddress(address("192.0.2.12"), VirtualAddress.SCTP, 0),
                    new ServiceSettings(
                            "sh",
                            Set.of(ServiceFlag.SCHEDULER_3),
                            Optional.of(new Persistence(Duration.ofSeconds(60), 21)),
                            Optional.empty())),
            new Service(
                    new VirtualAddress(address("2001:db8::11"), VirtualAddress.UDP, 0),
                    new ServiceSettings(
                            "lc",
                            Set.of(),
                            Optional.of(new Persistence(Duration.ofSeconds(90), 64)),
                            Optional.empty())),
            new Service(MARK, ServiceSettings.of("rr")),
            new Service(MARK6, ServiceSettings.of("rr")));

    static final List<ForwardingMethod> METHODS = List.of(
            PlainForwarding.MASQUERADE,
            PlainForwarding.DIRECT_ROUTE,
            PlainForwarding.LOCAL,
            Tunnel.IPIP,
            Tunnel.gue(6080, TunnelChecksum.NONE),
            Tunnel.gue(6080, TunnelChecksum.CHECKSUM),
            Tunnel.gue(6081, TunnelChecksum.REMOTE),
            Tunnel.gre(TunnelChecksum.NONE),
            Tunnel.gre(TunnelChecksum.CHECKSUM));

    private Samples() {}

    /** An IP literal. */
    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }

    static Destination destination(String address, int port, int weight, ForwardingMethod method) {
        return new Destination(new DestinationIdentity(address(address), port), DestinationSettings.of(weight, method));
    }
}
