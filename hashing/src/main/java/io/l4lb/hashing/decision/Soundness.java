// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ipv6;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.hashing.packet.Udp;
import java.util.Arrays;

/**
 * The rest of step 1: whether the headers of a service's packet agree with each other and with the frame. Checksums are
 * not verified: the real does it, and a wrong one stays wrong on the way.
 */
final class Soundness {
    /** The common header of SCTP (RFC 9260, 3.1) and the shortest header of DCCP (RFC 4340, 5.1). */
    private static final int MIN_HEADER = 12;

    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private Soundness() {}

    /** Whether a packet with a transport header, or of a protocol without a known one, contradicts itself. */
    static boolean isMalformed(Packet packet) {
        return isIpMalformed(packet) || isTransportMalformed(packet);
    }

    /** Whether the IP header alone contradicts itself, its extension headers or the frame. */
    static boolean isIpMalformed(Packet packet) {
        IpHeader ip = packet.ip();
        return !ip.isComplete()
                || ip.totalLength() > packet.available()
                || packet.transportLength() < 0
                || hasMappedSource(ip);
    }

    /** An IPv6 packet cannot come from an IPv4 address; Linux drops it as well (ip6_rcv_core). */
    private static boolean hasMappedSource(IpHeader ip) {
        byte[] source = ip.source().getAddress();
        return ip instanceof Ipv6 && Arrays.equals(source, 0, MAPPED.length, MAPPED, 0, MAPPED.length);
    }

    private static boolean isTransportMalformed(Packet packet) {
        int length = packet.transportLength();
        return switch (packet.ip().protocol()) {
            case IpProtocol.TCP ->
                Tcp.read(packet.frame(), packet.ip().transportAt(), packet.end())
                        .isEmpty();
            case IpProtocol.UDP -> isUdpMalformed(packet);
            case IpProtocol.UDP_LITE -> length < Udp.BYTES;
            case IpProtocol.SCTP, IpProtocol.DCCP -> length < MIN_HEADER;
            default -> false;
        };
    }

    /** The first fragment of a datagram gives the length of all of it. */
    private static boolean isUdpMalformed(Packet packet) {
        return Udp.read(packet.frame(), packet.ip().transportAt(), packet.end())
                .filter(udp -> udp.length() >= Udp.BYTES)
                .filter(udp -> packet.isFragment() || udp.length() <= packet.transportLength())
                .isEmpty();
    }
}
