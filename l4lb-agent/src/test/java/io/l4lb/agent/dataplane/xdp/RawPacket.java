// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.test.Frame;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** An IP packet in an Ethernet frame, of which any field may be wrong. */
final class RawPacket {
    static final int ETHERNET = 14;
    private static final byte[] SENDER_MAC = {2, 0, 0, 0, 0, 0x0a};
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;

    private final byte[] source;
    private final byte[] destination;
    private final int protocol;
    private final byte[] transport;
    private byte[] options = {};
    private int ttl = 64;
    private int trafficClass;
    private int ipv4Flags;
    private int extraLength;
    private int checksumError;
    private byte[] padding = {};

    RawPacket(InetAddress source, InetAddress destination, int protocol, byte[] transport) {
        this.source = source.getAddress();
        this.destination = destination.getAddress();
        this.protocol = protocol;
        this.transport = transport.clone();
    }

    boolean isIpv4() {
        return source.length == 4;
    }

    RawPacket ttl(int value) {
        ttl = value;
        return this;
    }

    RawPacket trafficClass(int value) {
        trafficClass = value;
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

    /** Of IPv4: by how much the checksum is wrong. */
    RawPacket checksumError(int value) {
        checksumError = value;
        return this;
    }

    /** What stands behind the packet. */
    RawPacket padding(byte[] bytes) {
        padding = bytes.clone();
        return this;
    }

    byte[] frame() {
        int header = isIpv4() ? IPV4_HEADER + options.length : IPV6_HEADER;
        ByteBuffer out = ByteBuffer.allocate(ETHERNET + header + transport.length + padding.length);
        out.put(Frame.ownMac()).put(SENDER_MAC).putShort((short) (isIpv4() ? 0x0800 : 0x86dd));
        if (isIpv4()) {
            ipv4(out, header);
        } else {
            out.putInt(0x60000000 | (trafficClass << 20) | 0x54321);
            out.putShort((short) (transport.length + extraLength))
                    .put((byte) protocol)
                    .put((byte) ttl);
            out.put(source).put(destination);
        }
        return out.put(transport).put(padding).array();
    }

    private void ipv4(ByteBuffer out, int header) {
        out.put((byte) (0x40 | (header / 4))).put((byte) trafficClass);
        out.putShort((short) (header + transport.length + extraLength)).putShort((short) 0x1234);
        out.putShort((short) ipv4Flags).put((byte) ttl).put((byte) protocol).putShort((short) 0);
        out.put(source).put(destination).put(options);
        int checksum = ~Frame.fold(Frame.sum(out, ETHERNET, header)) + checksumError;
        out.putShort(ETHERNET + 10, (short) checksum);
    }
}
