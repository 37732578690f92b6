// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalLong;

/** The header of ICMP for IPv4 (RFC 792). */
public final class Icmp extends IcmpHeader {
    private static final int ECHO_REPLY = 0;
    private static final int DESTINATION_UNREACHABLE = 3;
    private static final int SOURCE_QUENCH = 4;
    private static final int REDIRECT = 5;
    private static final int ECHO_REQUEST = 8;
    private static final int TIME_EXCEEDED = 11;
    private static final int PARAMETER_PROBLEM = 12;
    /** A code of destination unreachable. */
    private static final int FRAGMENTATION_NEEDED = 4;

    private static final int MTU_AT = 6;

    /** The longest error: what every host takes (RFC 1812, 4.3.2.3). */
    private static final int MAX_ERROR_BYTES = 576;

    private Icmp(byte[] bytes, int at) {
        super(bytes, at);
    }

    /** Reads a header; empty if it is not whole. */
    public static Optional<Icmp> read(byte[] bytes, int at, int to) {
        return to - at < BYTES ? Optional.empty() : Optional.of(new Icmp(bytes, at));
    }

    /**
     * An IPv4 packet with "fragmentation needed and DF set" (RFC 1191, 4).
     *
     * @param quoted the packet that is too big; so much of it is quoted that the whole has at most 576 bytes
     * @param mtu of the next hop
     */
    public static byte[] tooBig(byte[] quoted, int mtu, InetAddress source, InetAddress destination) {
        int quote = Math.min(quoted.length, MAX_ERROR_BYTES - Ipv4.BYTES - BYTES);
        byte[] packet = new byte[Ipv4.BYTES + BYTES + quote];
        Ipv4.write(packet, 0, packet.length, new Outgoing(IpProtocol.ICMP, 0), source, destination);
        NetworkOrder.put8(packet, Ipv4.BYTES, DESTINATION_UNREACHABLE);
        NetworkOrder.put8(packet, Ipv4.BYTES + CODE_AT, FRAGMENTATION_NEEDED);
        NetworkOrder.put16(packet, Ipv4.BYTES + MTU_AT, mtu);
        System.arraycopy(quoted, 0, packet, Ipv4.BYTES + BYTES, quote);
        int checksum = InternetChecksum.of(packet, Ipv4.BYTES, packet.length, 0);
        NetworkOrder.put16(packet, Ipv4.BYTES + CHECKSUM_AT, checksum);
        return packet;
    }

    @Override
    public boolean reportsLoss() {
        return type() == DESTINATION_UNREACHABLE || type() == TIME_EXCEEDED;
    }

    @Override
    public OptionalLong tooBigMtu() {
        return type() == DESTINATION_UNREACHABLE && code() == FRAGMENTATION_NEEDED
                ? OptionalLong.of(rest() & 0xffff)
                : OptionalLong.empty();
    }

    /** RFC 1122, 3.2.2. */
    @Override
    public boolean isError() {
        return switch (type()) {
            case DESTINATION_UNREACHABLE, SOURCE_QUENCH, REDIRECT, TIME_EXCEEDED, PARAMETER_PROBLEM -> true;
            default -> false;
        };
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
