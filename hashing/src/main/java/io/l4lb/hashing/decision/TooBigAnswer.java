// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.Icmp;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.Icmpv6;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Ipv4;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;

/**
 * The exception to step 7: the sender of a packet that does not fit the tunnel is told, by the VIP, which size would
 * fit. An ICMP message to the outer source, which a router would send, reaches nobody who could do something.
 */
final class TooBigAnswer {
    private TooBigAnswer() {}

    /**
     * The frame that leaves; empty if nobody is to be told: the packet may be fragmented (which the director does not
     * do), it is itself an ICMP error or a later IPv4 fragment, or its source is no host's address (RFC 1122, 3.2.2).
     *
     * @param mtu largest packet that fits the tunnel
     */
    static Optional<byte[]> to(Packet packet, int mtu) {
        IpHeader ip = packet.ip();
        boolean aboutError = packet.icmp().filter(IcmpHeader::isError).isPresent();
        boolean laterIpv4 = ip instanceof Ipv4 && packet.isLaterFragment();
        return ip.mustNotBeFragmented() && !aboutError && !laterIpv4 && packet.canBeAnswered()
                ? Optional.of(about(ip, packet, mtu))
                : Optional.empty();
    }

    /**
     * The frame that tells the sender of a packet to a VIP, back to where a packet came from.
     *
     * @param ip of the packet that is too big
     * @param packet what came in: the same, or one that quotes it to its end
     */
    static byte[] about(IpHeader ip, Packet packet, int mtu) {
        byte[] quoted = Arrays.copyOfRange(packet.frame(), ip.at(), packet.end());
        InetAddress vip = ip.destination();
        InetAddress sender = ip.source();
        byte[] answer =
                ip instanceof Ipv4 ? Icmp.tooBig(quoted, mtu, vip, sender) : Icmpv6.tooBig(quoted, mtu, vip, sender);
        Ethernet ethernet = packet.ethernet();
        byte[] frame = new byte[ethernet.length() + answer.length];
        ethernet.writeAnswer(frame, ip.etherType());
        System.arraycopy(answer, 0, frame, ethernet.length(), answer.length);
        return frame;
    }
}
