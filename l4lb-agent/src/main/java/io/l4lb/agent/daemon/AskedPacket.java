// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.InternetChecksum;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ipv4;
import io.l4lb.hashing.packet.Ipv6;
import io.l4lb.hashing.packet.NetworkOrder;
import io.l4lb.hashing.packet.Outgoing;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.hashing.packet.Udp;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/**
 * The smallest frame that a client could send: no options, no payload; of TCP and UDP, checksums right.
 *
 * @param source of the family of the destination
 * @param protocol IP protocol number; a header with ports if it has them, else four bytes of payload
 * @param syn whether a TCP packet begins a connection; otherwise it carries an ACK
 */
record AskedPacket(InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn) {
    /** Locally administered addresses (IEEE 802, 8.4): they only have to look like some. */
    private static final byte[] MACS = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2};

    private static final int IP_AT = MACS.length + 2;
    private static final int OTHER_BYTES = 4;
    /** The common header of SCTP (RFC 9260, 3.1) and the shortest header of DCCP (RFC 4340, 5.1). */
    private static final int SCTP_BYTES = 12;

    private static final int TCP_OFFSET_AT = 12;
    private static final int TCP_FLAGS_AT = 13;
    private static final int TCP_WINDOW_AT = 14;
    private static final int TCP_CHECKSUM_AT = 16;
    private static final int UDP_CHECKSUM_AT = 6;
    private static final int SYN = 0x02;
    private static final int ACK = 0x10;

    byte[] frame() {
        boolean ipv4 = destination.getAddress() instanceof Inet4Address;
        int transport = transportBytes();
        int at = IP_AT + (ipv4 ? Ipv4.BYTES : Ipv6.BYTES);
        byte[] frame = new byte[at + transport];
        NetworkOrder.put(frame, 0, MACS);
        NetworkOrder.put16(frame, MACS.length, ipv4 ? Ethernet.IPV4 : Ethernet.IPV6);
        Outgoing outgoing = new Outgoing(protocol, 0);
        if (ipv4) {
            Ipv4.write(frame, IP_AT, frame.length - IP_AT, outgoing, source.getAddress(), destination.getAddress());
        } else {
            Ipv6.write(frame, IP_AT, transport, outgoing, source.getAddress(), destination.getAddress());
        }
        writeTransport(frame, at);
        return frame;
    }

    private int transportBytes() {
        return switch (protocol) {
            case IpProtocol.TCP -> Tcp.BYTES;
            case IpProtocol.UDP, IpProtocol.UDP_LITE -> Udp.BYTES;
            case IpProtocol.SCTP, IpProtocol.DCCP -> SCTP_BYTES;
            default -> OTHER_BYTES;
        };
    }

    private void writeTransport(byte[] frame, int at) {
        Ports ports = new Ports(source.getPort(), destination.getPort());
        if (Ports.areIn(protocol)) {
            NetworkOrder.put16(frame, at, ports.source());
            NetworkOrder.put16(frame, at + 2, ports.destination());
        }
        if (protocol == IpProtocol.TCP) {
            NetworkOrder.put8(frame, at + TCP_OFFSET_AT, (Tcp.BYTES / 4) << 4);
            NetworkOrder.put8(frame, at + TCP_FLAGS_AT, syn ? SYN : ACK);
            NetworkOrder.put16(frame, at + TCP_WINDOW_AT, 0xffff);
            NetworkOrder.put16(frame, at + TCP_CHECKSUM_AT, checksum(frame, at));
        } else if (protocol == IpProtocol.UDP) {
            Udp.write(frame, at, ports, Udp.BYTES);
            int checksum = checksum(frame, at);
            NetworkOrder.put16(frame, at + UDP_CHECKSUM_AT, checksum == 0 ? 0xffff : checksum);
        }
    }

    /** With the pseudo-header: addresses, length, protocol (RFC 9293, 3.1). Both families sum up to the same form. */
    private int checksum(byte[] frame, int at) {
        byte[] from = source.getAddress().getAddress();
        byte[] to = destination.getAddress().getAddress();
        long pseudoHeader = InternetChecksum.sum(from, 0, from.length)
                + InternetChecksum.sum(to, 0, to.length)
                + (frame.length - at)
                + protocol;
        return InternetChecksum.of(frame, at, frame.length, pseudoHeader);
    }
}
