// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ipv4;
import io.l4lb.hashing.packet.Ipv6;
import io.l4lb.hashing.packet.NetworkOrder;
import io.l4lb.hashing.packet.Udp;
import java.util.Optional;

/**
 * A router between the director and a real found a tunnel packet too big. The sender of the packet inside is told by the
 * VIP, in the same words (RFC 2003, 4.1; RFC 2473, 8.1): the director, to which the router's message came, can do nothing
 * about it.
 */
final class PathMtu {
    /** Behind the IP header of the packet inside: the ports, by which its sender knows it. */
    private static final int BYTES_BEHIND_IP = 8;
    /** No router quotes so much (RFC 1812, 4.3.2.3; RFC 4443, 3.2). */
    private static final int MAX_MESSAGE = 2048;

    private final Services services;
    private final Tunnel tunnel;

    PathMtu(Services services, Tunnel tunnel) {
        this.services = services;
        this.tunnel = tunnel;
    }

    /** The frame that leaves; empty if the packet is nothing of the kind, or nobody can be told. */
    Optional<byte[]> answer(Packet packet) {
        IpHeader ip = packet.ip();
        int length = packet.end() - ip.transportAt();
        boolean whole = ip.totalLength() <= packet.available() && length <= MAX_MESSAGE && !packet.isFragment();
        return whole && tunnel.mayComeFrom(packet.vip())
                ? icmpBehind(packet, ip)
                        .filter(icmp -> icmp.isIntact(ip, packet.end()))
                        .flatMap(icmp -> answer(packet, icmp))
                : Optional.empty();
    }

    private Optional<byte[]> answer(Packet packet, IcmpHeader icmp) {
        long mtu = icmp.tooBigMtu().orElse(0);
        if (mtu < minMtu(packet.ip())) {
            return Optional.empty();
        }
        return IpHeader.read(packet.frame(), packet.ip().etherType(), icmp.bodyAt(), packet.end())
                .filter(outer -> outer.source().equals(packet.vip()) && isBare(outer) && !isFragment(outer))
                .flatMap(outer -> inside(packet, outer).flatMap(inner -> {
                    // Nobody's path may be so narrow as the tunnel makes it here (RFC 2473, 7.1; RFC 8201, 4).
                    long fits = Math.max(mtu - (inner.at() - outer.at()), minMtu(inner));
                    return inner.totalLength() > fits && mayBeTold(packet, inner)
                            ? Optional.of(TooBigAnswer.about(inner, packet, (int) fits))
                            : Optional.empty();
                }));
    }

    private static int minMtu(IpHeader ip) {
        return ip instanceof Ipv4 ? Ipv4.MIN_MTU : Ipv6.MIN_MTU;
    }

    /** Without options and extension headers, as tunnel packets leave. */
    private static boolean isBare(IpHeader ip) {
        return ip.transportAt() - ip.at() == (ip instanceof Ipv4 ? Ipv4.BYTES : Ipv6.BYTES);
    }

    private static boolean isFragment(IpHeader ip) {
        return ip.fragment().isPresent();
    }

    /** What the tunnel packet carries. */
    private static Optional<IpHeader> inside(Packet packet, IpHeader outer) {
        byte[] frame = packet.frame();
        int at = outer.transportAt();
        return switch (outer.protocol()) {
            case IpProtocol.IPV4 -> IpHeader.read(frame, Ethernet.IPV4, at, packet.end());
            case IpProtocol.IPV6 -> IpHeader.read(frame, Ethernet.IPV6, at, packet.end());
            case IpProtocol.UDP ->
                Udp.read(frame, at, packet.end())
                        .filter(udp -> udp.destinationPort() == OuterHeaders.GUE_PORT)
                        .flatMap(udp -> insideUdp(packet, udp.payloadAt()));
            default -> Optional.empty();
        };
    }

    private static Optional<IpHeader> insideUdp(Packet packet, int at) {
        boolean ipv6 = at < packet.end() && NetworkOrder.u8(packet.frame(), at) >>> 4 == 6;
        return IpHeader.read(packet.frame(), ipv6 ? Ethernet.IPV6 : Ethernet.IPV4, at, packet.end());
    }

    /**
     * Whether it is a VIP's packet whose sender may be told, and knows it by what is quoted. Like {@link TooBigAnswer},
     * but also of a packet that routers may cut: its tunnel packet they may not.
     */
    private boolean mayBeTold(Packet packet, IpHeader inner) {
        int header = inner instanceof Ipv4 ? inner.transportAt() - inner.at() : Ipv6.BYTES;
        boolean aboutError =
                icmpBehind(packet, inner).filter(IcmpHeader::isError).isPresent();
        boolean laterIpv4 = inner instanceof Ipv4
                && inner.fragment().filter(fragment -> !fragment.isFirst()).isPresent();
        return inner.at() + header + BYTES_BEHIND_IP <= packet.end()
                && !aboutError
                && !laterIpv4
                && !inner.hasMappedAddress()
                && Packet.canBeAnswered(inner.source())
                && services.isVip(inner.destination());
    }

    /** Of ICMPv6, what stands right behind the IPv6 header: neither routers nor many senders have extension headers. */
    private static Optional<IcmpHeader> icmpBehind(Packet packet, IpHeader ip) {
        return ip instanceof Ipv4 || isBare(ip) ? IcmpHeader.read(packet.frame(), ip, packet.end()) : Optional.empty();
    }
}
