// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import io.l4lb.hashing.MappedAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** An IPv6 header with its extension headers (RFC 8200, 3 and 4). */
public final class Ipv6 implements IpHeader {
    /** Length without extension headers. */
    public static final int BYTES = 40;
    /** What every link carries whole (RFC 8200, 5). */
    public static final int MIN_MTU = 1280;

    private static final int LENGTH_AT = 4;
    private static final int NEXT_HEADER_AT = 6;
    private static final int HOP_LIMIT_AT = 7;
    private static final int SOURCE_AT = 8;
    private static final int DESTINATION_AT = 24;
    private static final int ADDRESS_BYTES = 16;

    private final byte[] bytes;
    private final int at;
    private final ExtensionHeaders extensions;

    private Ipv6(byte[] bytes, int at, ExtensionHeaders extensions) {
        this.bytes = bytes;
        this.at = at;
        this.extensions = extensions;
    }

    /**
     * Reads a header; empty if it is not version 6 or the fixed part is not whole. Extension headers that are not whole
     * leave it {@link #isComplete() incomplete}.
     */
    public static Optional<Ipv6> read(byte[] bytes, int at, int to) {
        if (to - at < BYTES || NetworkOrder.u8(bytes, at) >>> 4 != 6) {
            return Optional.empty();
        }
        int next = NetworkOrder.u8(bytes, at + NEXT_HEADER_AT);
        return Optional.of(new Ipv6(bytes, at, ExtensionHeaders.read(bytes, next, at + BYTES, to)));
    }

    /**
     * Writes a header without extension headers, flow label 0.
     *
     * @param payloadLength of what follows the header
     */
    public static void write(
            byte[] into, int at, int payloadLength, Outgoing outgoing, InetAddress source, InetAddress destination) {
        NetworkOrder.put32(into, at, (6L << 28) | ((long) outgoing.trafficClass() << 20));
        NetworkOrder.put16(into, at + LENGTH_AT, payloadLength);
        NetworkOrder.put8(into, at + NEXT_HEADER_AT, outgoing.protocol());
        NetworkOrder.put8(into, at + HOP_LIMIT_AT, Outgoing.TTL);
        NetworkOrder.put(into, at + SOURCE_AT, source.getAddress());
        NetworkOrder.put(into, at + DESTINATION_AT, destination.getAddress());
    }

    /** Sum of the pseudo-header (RFC 8200, 8.1), for {@link InternetChecksum#of}. */
    public static long pseudoHeaderSum(byte[] bytes, int at, int length, int protocol) {
        return InternetChecksum.sum(bytes, at + SOURCE_AT, at + BYTES) + length + protocol;
    }

    @Override
    public int at() {
        return at;
    }

    @Override
    public int transportAt() {
        return extensions.end();
    }

    @Override
    public int totalLength() {
        return BYTES + NetworkOrder.u16(bytes, at + LENGTH_AT);
    }

    @Override
    public int trafficClass() {
        return (NetworkOrder.u16(bytes, at) >>> 4) & 0xff;
    }

    @Override
    public int ttl() {
        return NetworkOrder.u8(bytes, at + HOP_LIMIT_AT);
    }

    @Override
    public int protocol() {
        return extensions.protocol();
    }

    @Override
    public boolean isComplete() {
        return extensions.isComplete();
    }

    @Override
    public boolean isRouted() {
        return extensions.isRouted();
    }

    @Override
    public void setTtl(int ttl) {
        NetworkOrder.put8(bytes, at + HOP_LIMIT_AT, ttl);
    }

    @Override
    public void swapAddresses() {
        NetworkOrder.swap(bytes, at + SOURCE_AT, ADDRESS_BYTES);
    }

    @Override
    public InetAddress source() {
        return address(at + SOURCE_AT);
    }

    @Override
    public InetAddress destination() {
        return address(at + DESTINATION_AT);
    }

    @Override
    public boolean hasMappedAddress() {
        return MappedAddress.isAt(bytes, at + SOURCE_AT) || MappedAddress.isAt(bytes, at + DESTINATION_AT);
    }

    @Override
    public Optional<Fragment> fragment() {
        return extensions.fragment();
    }

    @Override
    public int etherType() {
        return Ethernet.IPV6;
    }

    @Override
    public int protocolInIp() {
        return IpProtocol.IPV6;
    }

    @Override
    public boolean mustNotBeFragmented() {
        return true;
    }

    /** Unlike {@link InetAddress#getByAddress}, keeps a mapped address what it is here: an IPv6 address. */
    private InetAddress address(int from) {
        try {
            return Inet6Address.getByAddress("", Arrays.copyOfRange(bytes, from, from + ADDRESS_BYTES), -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an IPv6 address", e);
        }
    }
}
