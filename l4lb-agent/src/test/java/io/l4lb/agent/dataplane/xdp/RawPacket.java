// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.test.Frame;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** An IP packet in an Ethernet frame, of which any field may be wrong. */
final class RawPacket {
    static final int ETHERNET = 14;
    static final int DO_NOT_FRAGMENT = 0x4000;
    static final int MORE_FRAGMENTS = 0x2000;
    private static final byte[] SENDER_MAC = {2, 0, 0, 0, 0, 0x0a};
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;

    private final InetAddress source;
    private final InetAddress destination;
    private final Payload payload;
    private byte[] tags = {};
    private byte[] options = {};
    private int ttl = 64;
    private int trafficClass;
    private int id = 0x1234;
    private int ipv4Flags;
    private int extraLength;
    private OptionalInt checksum = OptionalInt.empty();
    private byte[] padding = {};

    RawPacket(InetAddress source, InetAddress destination, Payload payload) {
        this.source = source;
        this.destination = destination;
        this.payload = payload;
    }

    InetAddress source() {
        return source;
    }

    InetAddress destination() {
        return destination;
    }

    Payload payload() {
        return payload;
    }

    /** What the receiver sends back: of it, addresses and ports alone. */
    RawPacket answered() {
        return new RawPacket(/* source= */ destination, /* destination= */ source, payload.answered());
    }

    boolean isIpv4() {
        return isIpv4(source);
    }

    static boolean isIpv4(InetAddress address) {
        return address.getAddress().length == 4;
    }

    static int headerBytes(boolean ipv4) {
        return ipv4 ? IPV4_HEADER : IPV6_HEADER;
    }

    /** VLAN tags: four bytes each. */
    RawPacket tags(byte[] bytes) {
        tags = bytes.clone();
        return this;
    }

    RawPacket ttl(int value) {
        ttl = value;
        return this;
    }

    RawPacket trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    /** Of IPv4: the identification. */
    RawPacket id(int value) {
        id = value;
        return this;
    }

    /** Of IPv4: the flags and the offset of a fragment. */
    RawPacket ipv4Flags(int value) {
        ipv4Flags = value;
        return this;
    }

    /** Of IPv4: a multiple of four bytes, 40 at most. */
    RawPacket options(byte[] bytes) {
        options = bytes.clone();
        return this;
    }

    /** By how much the IP header's length is wrong. */
    RawPacket extraLength(int bytes) {
        extraLength = bytes;
        return this;
    }

    /** Of IPv4: another checksum than the right one. */
    RawPacket checksum(int value) {
        checksum = OptionalInt.of(value);
        return this;
    }

    /** What stands behind the packet. */
    RawPacket padding(byte[] bytes) {
        padding = bytes.clone();
        return this;
    }

    /** From the Ethernet header on. */
    byte[] frame() {
        byte[] packet = packet();
        ByteBuffer out = ByteBuffer.allocate(ETHERNET + tags.length + packet.length + padding.length);
        out.put(Frame.ownMac()).put(SENDER_MAC).put(tags).putShort((short) (isIpv4() ? 0x0800 : 0x86dd));
        return out.put(packet).put(padding).array();
    }

    /** From the IP header on, without what stands behind the packet. */
    byte[] packet() {
        int header = isIpv4() ? IPV4_HEADER + options.length : IPV6_HEADER;
        ByteBuffer out = ByteBuffer.allocate(header + payload.length());
        if (isIpv4()) {
            ipv4(out, header);
        } else {
            out.putInt(0x60000000 | (trafficClass << 20) | 0x54321);
            out.putShort((short) (payload.length() + extraLength))
                    .put((byte) payload.protocol())
                    .put((byte) ttl);
            out.put(source.getAddress()).put(destination.getAddress());
        }
        return out.put(payload.bytes()).array();
    }

    private void ipv4(ByteBuffer out, int header) {
        out.put((byte) (0x40 | (header / 4))).put((byte) trafficClass);
        out.putShort((short) (header + payload.length() + extraLength)).putShort((short) id);
        out.putShort((short) ipv4Flags).put((byte) ttl).put((byte) payload.protocol());
        out.putShort((short) 0);
        out.put(source.getAddress()).put(destination.getAddress()).put(options);
        out.putShort(10, (short) checksum.orElse(~Frame.fold(Frame.sum(out, 0, header))));
    }
}
