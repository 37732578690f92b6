// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.Fragment;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Ports;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Between whom a packet that comes in goes; of an ICMP error, the packet that it speaks of.
 *
 * @param port of the VIP; {@link #UNKNOWN} in later fragments and where the frame ends before it
 */
record PacketEnds(InetAddress client, InetAddress vip, int protocol, int port) {
    static final int UNKNOWN = -1;

    /** Empty: not IP. */
    static Optional<PacketEnds> of(byte[] frame) {
        return Ethernet.read(frame)
                .flatMap(ethernet -> IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length))
                .map(ip -> of(frame, ip));
    }

    private static PacketEnds of(byte[] frame, IpHeader ip) {
        Optional<PacketEnds> quoted = (isFirst(ip)
                        ? IcmpHeader.read(frame, ip, frame.length)
                        : Optional.<IcmpHeader>empty())
                .filter(IcmpHeader::reportsLoss)
                .flatMap(icmp -> IpHeader.read(frame, ip.etherType(), icmp.bodyAt(), frame.length))
                .map(inner -> new PacketEnds(
                        inner.destination(), inner.source(), inner.protocol(), ports(frame, inner, true)));
        return quoted.orElseGet(
                () -> new PacketEnds(ip.source(), ip.destination(), ip.protocol(), ports(frame, ip, false)));
    }

    private static boolean isFirst(IpHeader ip) {
        return ip.isComplete() && ip.fragment().map(Fragment::isFirst).orElse(true);
    }

    private static int ports(byte[] frame, IpHeader ip, boolean reversed) {
        if (!isFirst(ip)) {
            return UNKNOWN;
        }
        return Ports.read(frame, ip.protocol(), ip.transportAt(), frame.length)
                .map(ports -> reversed ? ports.source() : ports.destination())
                .orElse(UNKNOWN);
    }
}
