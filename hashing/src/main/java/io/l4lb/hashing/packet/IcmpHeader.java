// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;
import java.util.OptionalLong;

/** What ICMP and ICMPv6 have in common: type, code, checksum and four bytes whose meaning depends on the type. */
public abstract sealed class IcmpHeader permits Icmp, Icmpv6 {
    /** Length; what an error quotes begins behind it. */
    public static final int BYTES = 8;

    static final int CODE_AT = 1;
    static final int CHECKSUM_AT = 2;
    private static final int REST_AT = 4;

    private final byte[] bytes;
    private final int at;

    IcmpHeader(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Reads the header of the family's ICMP; empty if the protocol is another or the header is not whole. */
    public static Optional<IcmpHeader> read(byte[] bytes, IpHeader ip, int to) {
        if (ip instanceof Ipv4) {
            return ip.protocol() == IpProtocol.ICMP
                    ? Icmp.read(bytes, ip.transportAt(), to).map(IcmpHeader.class::cast)
                    : Optional.empty();
        }
        return ip.protocol() == IpProtocol.ICMPV6
                ? Icmpv6.read(bytes, ip.transportAt(), to).map(IcmpHeader.class::cast)
                : Optional.empty();
    }

    /** Whether somebody wants to know if the VIP is there. */
    public final boolean isEchoRequest() {
        return type() == echoRequest();
    }

    /**
     * Whether it tells that a packet was lost, the beginning of which it quotes: destination unreachable (of which
     * fragmentation needed is a kind), packet too big, time exceeded.
     */
    public abstract boolean reportsLoss();

    /** If it says that a packet is too big: the MTU that it tells; 0 from routers that do not know of it (RFC 1191, 5). */
    public abstract OptionalLong tooBigMtu();

    /** Whether it is an error message of any kind: these must not be answered by errors. */
    public abstract boolean isError();

    /** Where the quoted packet, or an echo request's identifier and data, begin. */
    public final int bodyAt() {
        return at + BYTES;
    }

    /**
     * Whether the checksum is right.
     *
     * @param ip the header that it stands behind
     * @param to where the message ends
     */
    public final boolean isIntact(IpHeader ip, int to) {
        long start = ip instanceof Ipv6 ? Ipv6.pseudoHeaderSum(bytes, ip.at(), to - at, IpProtocol.ICMPV6) : 0;
        return InternetChecksum.of(bytes, at, to, start) == 0;
    }

    /** Makes an echo reply of an echo request and mends the checksum. The addresses are the IP header's matter. */
    public final void answerEcho() {
        int before = NetworkOrder.u16(bytes, at);
        NetworkOrder.put8(bytes, at, echoReply());
        InternetChecksum.mend(bytes, at + CHECKSUM_AT, before, NetworkOrder.u16(bytes, at));
    }

    final int type() {
        return NetworkOrder.u8(bytes, at);
    }

    final int code() {
        return NetworkOrder.u8(bytes, at + CODE_AT);
    }

    /** The four bytes whose meaning depends on the type. */
    final long rest() {
        return NetworkOrder.u32(bytes, at + REST_AT);
    }

    /** The type of an echo request. */
    abstract int echoRequest();

    /** The type of an echo reply. */
    abstract int echoReply();
}
