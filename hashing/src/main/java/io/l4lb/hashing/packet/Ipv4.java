// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** An IPv4 header with its options (RFC 791, 3.1). Options are kept and not looked at; the checksum is not verified. */
public final class Ipv4 implements IpHeader {
    /** Length without options. */
    public static final int BYTES = 20;
    /** What every link carries whole (RFC 791, 3.2). */
    public static final int MIN_MTU = 68;

    private static final int TRAFFIC_CLASS_AT = 1;
    private static final int LENGTH_AT = 2;
    private static final int ID_AT = 4;
    private static final int FRAGMENT_AT = 6;
    private static final int TTL_AT = 8;
    private static final int PROTOCOL_AT = 9;
    private static final int CHECKSUM_AT = 10;
    private static final int SOURCE_AT = 12;
    private static final int DESTINATION_AT = 16;
    private static final int ADDRESS_BYTES = 4;

    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int OFFSET_MASK = 0x1fff;
    private static final int OFFSET_UNIT = 8;

    private final byte[] bytes;
    private final int at;

    private Ipv4(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Reads a header; empty if it is not version 4, its length is below 20, or it is not whole with its options. */
    public static Optional<Ipv4> read(byte[] bytes, int at, int to) {
        if (to - at < BYTES || NetworkOrder.u8(bytes, at) >>> 4 != 4) {
            return Optional.empty();
        }
        int length = headerLength(bytes, at);
        return length < BYTES || length > to - at ? Optional.empty() : Optional.of(new Ipv4(bytes, at));
    }

    /**
     * Writes a header without options for an atomic datagram (RFC 6864): DF set, identification 0.
     *
     * @param totalLength of the whole packet, header included
     */
    public static void write(
            byte[] into, int at, int totalLength, Outgoing outgoing, InetAddress source, InetAddress destination) {
        NetworkOrder.put8(into, at, 0x45);
        NetworkOrder.put8(into, at + TRAFFIC_CLASS_AT, outgoing.trafficClass());
        NetworkOrder.put16(into, at + LENGTH_AT, totalLength);
        NetworkOrder.put16(into, at + FRAGMENT_AT, DO_NOT_FRAGMENT);
        NetworkOrder.put8(into, at + TTL_AT, Outgoing.TTL);
        NetworkOrder.put8(into, at + PROTOCOL_AT, outgoing.protocol());
        NetworkOrder.put(into, at + SOURCE_AT, source.getAddress());
        NetworkOrder.put(into, at + DESTINATION_AT, destination.getAddress());
        NetworkOrder.put16(into, at + CHECKSUM_AT, InternetChecksum.of(into, at, at + BYTES, 0));
    }

    private static int headerLength(byte[] bytes, int at) {
        return (NetworkOrder.u8(bytes, at) & 0x0f) * 4;
    }

    @Override
    public int at() {
        return at;
    }

    @Override
    public int transportAt() {
        return at + headerLength(bytes, at);
    }

    @Override
    public int totalLength() {
        return NetworkOrder.u16(bytes, at + LENGTH_AT);
    }

    @Override
    public int trafficClass() {
        return NetworkOrder.u8(bytes, at + TRAFFIC_CLASS_AT);
    }

    @Override
    public int ttl() {
        return NetworkOrder.u8(bytes, at + TTL_AT);
    }

    @Override
    public int protocol() {
        return NetworkOrder.u8(bytes, at + PROTOCOL_AT);
    }

    @Override
    public boolean isComplete() {
        return true;
    }

    /** Not looked for in the options: hosts and routers refuse source routes (RFC 7126, 4.3). */
    @Override
    public boolean isRouted() {
        return false;
    }

    @Override
    public void setTtl(int ttl) {
        int before = NetworkOrder.u16(bytes, at + TTL_AT);
        NetworkOrder.put8(bytes, at + TTL_AT, ttl);
        InternetChecksum.mend(bytes, at + CHECKSUM_AT, before, NetworkOrder.u16(bytes, at + TTL_AT));
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
        return false;
    }

    @Override
    public Optional<Fragment> fragment() {
        int field = NetworkOrder.u16(bytes, at + FRAGMENT_AT);
        if ((field & (MORE_FRAGMENTS | OFFSET_MASK)) == 0) {
            return Optional.empty();
        }
        int offset = (field & OFFSET_MASK) * OFFSET_UNIT;
        return Optional.of(new Fragment(NetworkOrder.u16(bytes, at + ID_AT), offset, protocol()));
    }

    @Override
    public int etherType() {
        return Ethernet.IPV4;
    }

    @Override
    public int protocolInIp() {
        return IpProtocol.IPV4;
    }

    @Override
    public boolean mustNotBeFragmented() {
        return (NetworkOrder.u16(bytes, at + FRAGMENT_AT) & DO_NOT_FRAGMENT) != 0;
    }

    private InetAddress address(int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + ADDRESS_BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an IPv4 address", e);
        }
    }
}
