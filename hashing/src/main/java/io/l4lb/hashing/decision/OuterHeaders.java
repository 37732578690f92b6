// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ipv4;
import io.l4lb.hashing.packet.Ipv6;
import io.l4lb.hashing.packet.Outgoing;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.hashing.packet.Udp;
import java.net.InetAddress;

/**
 * Step 7: what goes in front of the packet. DSCP and ECN are those of the packet (RFC 6040, normal mode).
 *
 * @param source already varied with the flow
 * @param destination where the tunnel ends
 */
record OuterHeaders(Encapsulation encapsulation, InetAddress source, InetAddress destination) {
    /** UDP port of GUE (IANA). */
    static final int GUE_PORT = 6080;
    /** The source port varies with the flow among the ephemeral ones (draft-ietf-intarea-gue, 5.11). */
    private static final int GUE_SOURCE_PORTS = 0xc000;

    private static final int GUE_HASH_MASK = 0x3fff;

    /**
     * Writes them.
     *
     * @param inner the packet that follows
     * @param hash of its flow
     */
    void write(byte[] into, int at, IpHeader inner, long hash) {
        int udpLength = encapsulation.bytes();
        int protocol = encapsulation == Encapsulation.GUE ? IpProtocol.UDP : inner.protocolInIp();
        Outgoing outgoing = new Outgoing(protocol, inner.trafficClass());
        int payload = udpLength + inner.totalLength();
        int end;
        if (Tunnel.isIpv4(destination)) {
            Ipv4.write(into, at, Ipv4.BYTES + payload, outgoing, source, destination);
            end = at + Ipv4.BYTES;
        } else {
            Ipv6.write(into, at, payload, outgoing, source, destination);
            end = at + Ipv6.BYTES;
        }
        if (encapsulation == Encapsulation.GUE) {
            // No checksum: the packet has its own (RFC 6935, RFC 6936).
            Udp.write(into, end, new Ports(GUE_SOURCE_PORTS | (int) (hash & GUE_HASH_MASK), GUE_PORT), payload);
        }
    }
}
