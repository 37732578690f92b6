// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;

/** What ICMP and ICMPv6 have in common: type, code, checksum and four bytes whose meaning depends on the type. */
public sealed interface IcmpHeader permits Icmp, Icmpv6 {
    /** Length; what an error quotes begins behind it. */
    int BYTES = 8;

    /** Reads the header of the family's ICMP; empty if the protocol is another or the header is not whole. */
    static Optional<IcmpHeader> read(byte[] bytes, IpHeader ip, int to) {
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
    boolean isEchoRequest();

    /**
     * Whether it tells that a packet was lost, the beginning of which it quotes: destination unreachable (of which
     * fragmentation needed is a kind), packet too big, time exceeded.
     */
    boolean reportsLoss();

    /** Whether it is an error message of any kind: these must not be answered by errors. */
    boolean isError();

    /** Where the quoted packet, or an echo request's identifier and data, begin. */
    int bodyAt();

    /** Makes an echo reply of an echo request and mends the checksum. The addresses are the IP header's matter. */
    void answerEcho();
}
