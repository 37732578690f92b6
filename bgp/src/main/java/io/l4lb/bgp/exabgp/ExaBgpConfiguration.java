// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;

/** ExaBGP's configuration file: the sessions only. Routes go through the bridge, so that their change never reloads. */
final class ExaBgpConfiguration {
    private static final int BGP_PORT = 179;

    private ExaBgpConfiguration() {}

    /** Throws BgpException if a neighbor's local address is to be found and there is no route to the neighbor. */
    static String text(BgpSettings settings, Path bridge) {
        StringBuilder text = new StringBuilder("# Written by l4lb; changes made here are lost.\n");
        text.append("process l4lb {\n    run /usr/bin/python3 -I ")
                .append(bridge)
                .append(' ')
                .append(settings.exabgp().socket())
                .append(";\n    encoder json;\n}\n");
        for (Neighbor neighbor : settings.neighbors()) {
            text.append(neighbor(settings, neighbor));
        }
        return text.toString();
    }

    /**
     * One session per family: an IPv6 route with "next-hop self" makes an IPv4 session flap for ever. route-refresh is
     * broken in 4.2.21. Only the events that are needed are asked for.
     */
    private static String neighbor(BgpSettings settings, Neighbor neighbor) {
        return """
                neighbor %s {
                    router-id %s;
                    local-address %s;
                    local-as %d;
                    peer-as %d;
                    hold-time %d;
                    adj-rib-in false;
                    adj-rib-out true;
                    family { %s unicast; }
                    capability { asn4 enable; route-refresh disable; }
                    api {
                        processes [ l4lb ];
                        neighbor-changes;
                        send { parsed; update; }
                    }
                }
                """.formatted(
                        IpLiteral.text(neighbor.address()),
                        IpLiteral.text(settings.routerId()),
                        IpLiteral.text(localAddress(neighbor)),
                        settings.localAs(),
                        neighbor.peerAs(),
                        settings.holdTime().toSeconds(),
                        neighbor.isIpv6() ? "ipv6" : "ipv4");
    }

    /**
     * ExaBGP 4.2.21 documents "local-address auto" and then refuses it as missing, so the kernel is asked which source
     * address it would use. Connecting a datagram socket sends nothing.
     */
    private static InetAddress localAddress(Neighbor neighbor) {
        InetAddress given = neighbor.localAddress();
        if (given != null) {
            return given;
        }
        String name = IpLiteral.text(neighbor.address());
        try (DatagramChannel probe = DatagramChannel.open()) {
            probe.connect(new InetSocketAddress(neighbor.address(), BGP_PORT));
            InetSocketAddress local = (InetSocketAddress) probe.getLocalAddress();
            // Without its scope, which a socket may add and ExaBGP does not know.
            return InetAddress.getByAddress(local.getAddress().getAddress());
        } catch (IOException e) {
            throw new BgpException("finding the local address towards " + name, e);
        }
    }
}
