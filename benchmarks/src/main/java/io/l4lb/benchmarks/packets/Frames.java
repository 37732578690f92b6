// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.test.Frame;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Ethernet frames of the cases, with right checksums. */
final class Frames {
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int ICMP = 8;
    private static final int ICMPV4_PROTOCOL = 1;
    private static final int ICMPV6_PROTOCOL = 58;
    private static final int DESTINATION_UNREACHABLE = 3;
    private static final int FRAGMENTATION_NEEDED = 4;
    private static final int PACKET_TOO_BIG = 2;
    private static final int NEXT_HOP_MTU = 1400;
    /** Octets of TCP that a router must quote of an IPv4 packet (RFC 792); of IPv6 this one quotes all. */
    private static final int QUOTED = 8;
    /** An even number of octets: makes the smallest frames 64 octets long, 4 of them the checksum that is not seen. */
    private static final int PAYLOAD = 6;

    private Frames() {}

    static byte[] tcp(String client, int port, String vip, int flags) {
        return Frame.tcp(client, port, vip, Vips.TCP_PORT)
                .flags(flags)
                .payload(PAYLOAD)
                .bytes();
    }

    /** A datagram with that payload. */
    static byte[] udp(String client, int port, String vip, int vipPort, String payload) {
        byte[] bytes = HexFormat.of().parseHex(payload);
        byte[] frame =
                Frame.udp(client, port, vip, vipPort).payload(bytes.length).bytes();
        ByteBuffer.wrap(frame).put(frame.length - bytes.length, bytes);
        // Of UDP over IPv4, where all that are built here are, 0 is "none".
        ByteBuffer.wrap(frame).putShort(frame.length - bytes.length - 2, (short) 0);
        return frame;
    }

    /** ICMP "fragmentation needed" from a router, about a packet from the VIP to the client. */
    static byte[] fragmentationNeeded(String router, String vip, String client, int port) {
        byte[] answer =
                Frame.tcp(vip, Vips.TCP_PORT, client, port).payload(PAYLOAD).bytes();
        int length = ICMP + IPV4 + QUOTED;
        byte[] frame = Frame.udp(router, 0, vip, 0)
                .payload(length - ICMP)
                .nextHeader(ICMPV4_PROTOCOL)
                .bytes();
        ByteBuffer icmp = ByteBuffer.wrap(frame).position(ETHERNET + IPV4);
        icmp.put((byte) DESTINATION_UNREACHABLE)
                .put((byte) FRAGMENTATION_NEEDED)
                .putInt(0);
        icmp.putShort((short) NEXT_HOP_MTU).put(answer, ETHERNET, IPV4 + QUOTED);
        int sum = Frame.sum(icmp, ETHERNET + IPV4, length);
        icmp.putShort(ETHERNET + IPV4 + 2, (short) ~Frame.fold(sum));
        return frame;
    }

    /** ICMPv6 "packet too big" likewise. */
    static byte[] packetTooBig(String router, String vip, String client, int port) {
        byte[] answer =
                Frame.tcp(vip, Vips.TCP_PORT, client, port).payload(PAYLOAD).bytes();
        int quoted = answer.length - ETHERNET;
        int length = ICMP + quoted;
        byte[] frame = Frame.udp(router, 0, vip, 0)
                .payload(length - ICMP)
                .nextHeader(ICMPV6_PROTOCOL)
                .bytes();
        ByteBuffer icmp = ByteBuffer.wrap(frame).position(ETHERNET + IPV6);
        icmp.put((byte) PACKET_TOO_BIG).put((byte) 0).putShort((short) 0);
        icmp.putInt(NEXT_HOP_MTU).put(answer, ETHERNET, quoted);
        int addresses = Frame.sum(icmp, ETHERNET + 8, 32);
        int sum = addresses + ICMPV6_PROTOCOL + length + Frame.sum(icmp, ETHERNET + IPV6, length);
        icmp.putShort(ETHERNET + IPV6 + 2, (short) ~Frame.fold(sum));
        return frame;
    }
}
