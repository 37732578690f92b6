// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Outgoing;
import java.util.Optional;

/**
 * Step 3, first half: an echo request to a VIP becomes its reply (RFC 792, RFC 4443, 4.2). Addresses and MACs change
 * places, the time to live begins anew, all else stays.
 */
final class EchoReply {
    private EchoReply() {}

    /**
     * The frame that leaves; empty if the packet is no echo request that can be answered: a fragment, cut off, one that
     * a routing header would lead further, or from an address that is no host's.
     */
    static Optional<byte[]> to(Packet packet) {
        boolean answerable = !Soundness.isIpMalformed(packet) && !packet.ip().isRouted() && packet.canBeAnswered();
        return packet.icmp().filter(icmp -> answerable && icmp.isEchoRequest()).map(icmp -> turnedAround(packet));
    }

    private static byte[] turnedAround(Packet packet) {
        byte[] frame = packet.frame().clone();
        Ethernet ethernet = packet.ethernet();
        ethernet.writeAnswer(frame);
        IpHeader ip = IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                .orElseThrow();
        ip.swapAddresses();
        ip.setTtl(Outgoing.TTL);
        IcmpHeader.read(frame, ip, frame.length).orElseThrow().answerEcho();
        return frame;
    }
}
