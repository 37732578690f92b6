// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalLong;

/** The header of ICMPv6 (RFC 4443). */
public final class Icmpv6 extends IcmpHeader {
    private static final int DESTINATION_UNREACHABLE = 1;
    private static final int PACKET_TOO_BIG = 2;
    private static final int TIME_EXCEEDED = 3;
    private static final int ECHO_REQUEST = 128;
    private static final int ECHO_REPLY = 129;
    private static final int REDIRECT = 137;

    private static final int MTU_AT = 4;

    /** The longest error: the minimum MTU of IPv6 (RFC 4443, 3.2). */
    private static final int MAX_ERROR_BYTES = 1280;

    private Icmpv6(byte[] bytes, int at) {
        super(bytes, at);
    }

    /** Reads a header; empty if it is not whole. */
    public static Optional<Icmpv6> read(byte[] bytes, int at, int to) {
        return to - at < BYTES ? Optional.empty() : Optional.of(new Icmpv6(bytes, at));
    }

    /**
     * An IPv6 packet with "packet too big" (RFC 4443, 3.2).
     *
     * @param quoted the packet that is too big; so much of it is quoted that the whole has at most 1280 bytes
     * @param mtu of the next hop
     */
    public static byte[] tooBig(byte[] quoted, int mtu, InetAddress source, InetAddress destination) {
        int quote = Math.min(quoted.length, MAX_ERROR_BYTES - Ipv6.BYTES - BYTES);
        byte[] packet = new byte[Ipv6.BYTES + BYTES + quote];
        Ipv6.write(packet, 0, BYTES + quote, new Outgoing(IpProtocol.ICMPV6, 0), source, destination);
        NetworkOrder.put8(packet, Ipv6.BYTES, PACKET_TOO_BIG);
        NetworkOrder.put32(packet, Ipv6.BYTES + MTU_AT, mtu);
        System.arraycopy(quoted, 0, packet, Ipv6.BYTES + BYTES, quote);
        long start = Ipv6.pseudoHeaderSum(packet, 0, BYTES + quote, IpProtocol.ICMPV6);
        int checksum = InternetChecksum.of(packet, Ipv6.BYTES, packet.length, start);
        NetworkOrder.put16(packet, Ipv6.BYTES + CHECKSUM_AT, checksum);
        return packet;
    }

    @Override
    public boolean reportsLoss() {
        return type() == DESTINATION_UNREACHABLE || type() == PACKET_TOO_BIG || type() == TIME_EXCEEDED;
    }

    /** Whatever the code is (RFC 4443, 3.2). */
    @Override
    public OptionalLong tooBigMtu() {
        return type() == PACKET_TOO_BIG ? OptionalLong.of(rest()) : OptionalLong.empty();
    }

    /** RFC 4443, 2.1 and 2.4 (e). */
    @Override
    public boolean isError() {
        return type() < ECHO_REQUEST || type() == REDIRECT;
    }

    @Override
    int echoRequest() {
        return ECHO_REQUEST;
    }

    @Override
    int echoReply() {
        return ECHO_REPLY;
    }
}
