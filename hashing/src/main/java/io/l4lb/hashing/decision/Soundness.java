// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.hashing.packet.Udp;

/**
 * The rest of step 1: whether the headers of a service's packet agree with each other and with the frame. Checksums are
 * not verified: the real does it, and a wrong one stays wrong on the way.
 */
final class Soundness {
    /** The common header of SCTP (RFC 9260, 3.1) and the shortest header of DCCP (RFC 4340, 5.1). */
    private static final int MIN_HEADER = 12;

    private Soundness() {}

    /** Whether a packet with a transport header, or of a protocol without a known one, contradicts itself. */
    static boolean isMalformed(Packet packet) {
        return isIpMalformed(packet) || isTransportMalformed(packet);
    }

    /**
     * Whether the IP header alone contradicts itself, its extension headers or the frame. From a mapped address no
     * packet can come; Linux drops these as well (ip6_rcv_core).
     */
    static boolean isIpMalformed(Packet packet) {
        IpHeader ip = packet.ip();
        return !ip.isComplete()
                || ip.totalLength() > packet.available()
                || packet.transportLength() < 0
                || ip.hasMappedAddress();
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
