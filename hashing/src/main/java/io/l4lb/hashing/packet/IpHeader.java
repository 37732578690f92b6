// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.net.InetAddress;
import java.util.Optional;

/** What IPv4 with its options and IPv6 with its extension headers have in common. */
public sealed interface IpHeader permits Ipv4, Ipv6 {
    /**
     * Reads the header of a packet.
     *
     * @param etherType {@link Ethernet#IPV4} or {@link Ethernet#IPV6}
     * @param at where the packet begins
     * @param to where the bytes end that may be read
     * @return empty if it is another type, the header is not whole, or its version is not that of the type
     */
    static Optional<IpHeader> read(byte[] bytes, int etherType, int at, int to) {
        return switch (etherType) {
            case Ethernet.IPV4 -> Ipv4.read(bytes, at, to).map(IpHeader.class::cast);
            case Ethernet.IPV6 -> Ipv6.read(bytes, at, to).map(IpHeader.class::cast);
            default -> Optional.empty();
        };
    }

    /** Where the header begins. */
    int at();

    /** Where the transport protocol's header begins: behind options or extension headers. */
    int transportAt();

    /** Bytes of the whole packet, by its own header; nothing says that they are there. */
    int totalLength();

    /** DSCP and ECN, 8 bits. */
    int trafficClass();

    /** Time to live, or hop limit. */
    int ttl();

    /** The transport protocol's number: of IPv6, what the last extension header names. */
    int protocol();

    /** Whether all extension headers could be read, so that {@link #protocol()} and {@link #transportAt()} hold. */
    boolean isComplete();

    /** Whether a routing header says that the destination may not be the last. */
    boolean isRouted();

    /** The sender's address. */
    InetAddress source();

    /** The receiver's address. An IPv6 address is an {@link java.net.Inet6Address} even if it is a mapped one. */
    InetAddress destination();

    /** Whether an IPv6 header has a mapped address (RFC 4291, 2.5.5.2), which no packet on the wire may have. */
    boolean hasMappedAddress();

    /** Which part of a fragmented packet this is; empty if it is whole. */
    Optional<Fragment> fragment();

    /** Type of an Ethernet frame that carries this. */
    int etherType();

    /** Number of this as a protocol inside of another IP packet. */
    int protocolInIp();

    /** Gives another time to live or hop limit, and mends the checksum. */
    void setTtl(int ttl);

    /** Source and destination change places, which leaves every checksum right. */
    void swapAddresses();

    /** Whether a router may not cut the packet into fragments: always so in IPv6. */
    boolean mustNotBeFragmented();
}
