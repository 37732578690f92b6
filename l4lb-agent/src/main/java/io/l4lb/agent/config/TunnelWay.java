// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Prefix;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the {@code [xdp]} table says of tunnels to the reals, which the services have to suit.
 *
 * @param mtu absent if it is wrong
 * @param source4 absent if there is none, or a wrong one
 * @param source6 likewise
 */
record TunnelWay(Optional<Located<Integer>> mtu, Optional<Located<Prefix>> source4, Optional<Located<Prefix>> source6) {
    static final TunnelWay UNKNOWN = new TunnelWay(Optional.empty(), Optional.empty(), Optional.empty());

    /** Which no sender of IPv6 packets needs to go below (RFC 8200, section 5). */
    private static final int IPV6_MTU = 1280;

    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP_HEADER = 8;

    /**
     * Reports services that cannot be served so.
     *
     * @param main the file of the section
     */
    void refuse(LoadedFile file, Path main) {
        for (ServiceDraft service : file.services()) {
            mtu.ifPresent(known -> refuseVips(service, known, file.problems()));
            Stream.of(source4, source6)
                    .flatMap(Optional::stream)
                    .forEach(source ->
                            refuseSources(service, source, file, file.file().equals(main) ? "" : " of " + main));
        }
    }

    /** Nobody can be told to send smaller IPv6 packets than these. */
    private static void refuseVips(ServiceDraft service, Located<Integer> mtu, Problems problems) {
        int needed = IPV6_MTU + overhead(service);
        for (Located<InetAddress> vip : service.endpoint().vips()) {
            if (vip.value() instanceof Inet6Address && mtu.value() < needed) {
                problems.add(
                        vip.line(),
                        vip.key(),
                        "IPv6 packets of " + IPV6_MTU + " bytes, which any client may send, do not fit xdp.mtu, "
                                + mtu.value() + ", once encapsulated; it has to be " + needed + " or more");
            }
        }
    }

    private static int overhead(ServiceDraft service) {
        boolean ipv6 = service.reals().stream().anyMatch(real -> real.value() instanceof Inet6Address);
        return (ipv6 ? IPV6_HEADER : IPV4_HEADER) + (service.forwarding() == Forwarding.GUE ? UDP_HEADER : 0);
    }

    private static void refuseSources(ServiceDraft service, Located<Prefix> source, LoadedFile file, String where) {
        String in = " is in " + source.key() + where + " (line " + source.line() + "): ";
        service.reals()
                .forEach(real ->
                        refuse(real, source, file.problems(), in + "it would drop what seems to come from itself"));
        service.endpoint()
                .vips()
                .forEach(vip -> refuse(
                        vip,
                        source,
                        file.problems(),
                        in + "what answers tunnel packets, as routers do with ICMP errors, would be taken for the"
                                + " service's"));
    }

    private static void refuse(
            Located<InetAddress> address, Located<Prefix> source, Problems problems, String message) {
        if (source.value().contains(address.value())) {
            problems.add(address.line(), address.key(), IpText.of(address.value()) + message);
        }
    }
}
