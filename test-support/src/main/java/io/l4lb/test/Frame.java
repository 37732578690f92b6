// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.nio.ByteBuffer;

/** Builds an Ethernet frame with a TCP or UDP packet, right in every field unless told to be wrong. */
public final class Frame {
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int SYN = 0x02;
    public static final int ACK = 0x10;
    private static final byte[] OWN_MAC = {0x02, 0, 0, 0, 0, 0x0b};

    private static final byte[] SENDER_MAC = {0x02, 0, 0, 0, 0, 0x0a};
    private static final int ETHERNET = 14;

    private final int protocol;
    private final byte[] source;
    private final byte[] destination;
    private final int sourcePort;
    private final int destinationPort;
    private int flags = ACK;
    private int ttl = 64;
    private int trafficClass;
    private int payload;
    private int optionWords;
    private int fragment;
    private int extraLength;
    private int dataOffset = 5;
    private int extraUdpLength;
    private int padding;
    private int cut;
    private int nextHeader;

    private Frame(int protocol, String source, int sourcePort, String destination, int destinationPort) {
        this.protocol = protocol;
        this.source = address(source);
        this.sourcePort = sourcePort;
        this.destination = address(destination);
        this.destinationPort = destinationPort;
        this.nextHeader = protocol;
    }

    public static Frame tcp(String source, int sourcePort, String destination, int destinationPort) {
        return new Frame(TCP, source, sourcePort, destination, destinationPort);
    }

    public static Frame udp(String source, int sourcePort, String destination, int destinationPort) {
        return new Frame(UDP, source, sourcePort, destination, destinationPort);
    }

    /** Where frames come to: the balancer's own MAC. */
    public static byte[] ownMac() {
        return OWN_MAC.clone();
    }

    /** Four or sixteen bytes of an address literal. */
    public static byte[] address(String literal) {
        return Address.ip(literal).getAddress();
    }

    public Frame flags(int value) {
        flags = value;
        return this;
    }

    public Frame ttl(int value) {
        ttl = value;
        return this;
    }

    public Frame trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    public Frame payload(int bytes) {
        payload = bytes;
        return this;
    }

    public Frame options(int words) {
        optionWords = words;
        return this;
    }

    /** The flags and offset field of IPv4. */
    public Frame fragment(int field) {
        fragment = field;
        return this;
    }

    /** Makes the IP header claim so many bytes more than there are. */
    public Frame claimMore(int bytes) {
        extraLength = bytes;
        return this;
    }

    public Frame dataOffset(int words) {
        dataOffset = words;
        return this;
    }

    public Frame claimMoreUdp(int bytes) {
        extraUdpLength = bytes;
        return this;
    }

    /** Bytes behind the packet, as Ethernet's minimum demands of short ones. */
    public Frame padding(int bytes) {
        padding = bytes;
        return this;
    }

    /** Drops bytes from the end of the frame. */
    public Frame cut(int bytes) {
        cut = bytes;
        return this;
    }

    public Frame nextHeader(int value) {
        nextHeader = value;
        return this;
    }

    public byte[] bytes() {
        int transport = (protocol == TCP ? 20 : 8) + payload;
        int header = source.length == 4 ? 20 + optionWords * 4 : 40;
        ByteBuffer out = ByteBuffer.allocate(ETHERNET + header + transport + padding);
        out.put(OWN_MAC).put(SENDER_MAC).putShort((short) (source.length == 4 ? 0x0800 : 0x86dd));
        if (source.length == 4) {
            ipv4(out, header, transport);
        } else {
            ipv6(out, transport);
        }
        int start = ETHERNET + header;
        out.position(start);
        transport(out, transport);
        int sum = pseudoHeaderSum(transport) + sum(out, start, transport);
        out.putShort(start + (protocol == TCP ? 16 : 6), (short) ~fold(sum));
        byte[] frame = new byte[out.capacity() - cut];
        out.get(0, frame);
        return frame;
    }

    private void ipv4(ByteBuffer out, int header, int transport) {
        out.put((byte) (0x40 | (header / 4))).put((byte) trafficClass);
        out.putShort((short) (header + transport + extraLength)).putShort((short) 0x1234);
        out.putShort((short) fragment).put((byte) ttl).put((byte) nextHeader).putShort((short) 0);
        out.put(source).put(destination);
        for (int i = 0; i < optionWords; i++) {
            out.putInt(0x01010101); // no operation
        }
        out.putShort(ETHERNET + 10, (short) ~fold(sum(out, ETHERNET, header)));
    }

    private void ipv6(ByteBuffer out, int transport) {
        out.putInt(0x60000000 | (trafficClass << 20) | 0x54321);
        out.putShort((short) (transport + extraLength)).put((byte) nextHeader).put((byte) ttl);
        out.put(source).put(destination);
    }

    private void transport(ByteBuffer out, int length) {
        out.putShort((short) sourcePort).putShort((short) destinationPort);
        if (protocol == TCP) {
            out.putInt(1000).putInt(2000).put((byte) (dataOffset << 4)).put((byte) flags);
            out.putShort((short) 512).putInt(0);
        } else {
            out.putShort((short) (length + extraUdpLength)).putShort((short) 0);
        }
        for (int i = 0; i < payload; i++) {
            out.put((byte) i);
        }
    }

    private int pseudoHeaderSum(int length) {
        ByteBuffer pseudo = ByteBuffer.allocate(source.length * 2 + 4);
        pseudo.put(source).put(destination).putShort((short) protocol).putShort((short) length);
        return sum(pseudo, 0, pseudo.capacity());
    }

    /** Sum of big-endian 16-bit words; an odd byte at the end counts as a word's upper half. */
    public static int sum(ByteBuffer bytes, int offset, int length) {
        int sum = 0;
        for (int i = 0; i < length; i += 2) {
            int low = i + 1 < length ? bytes.get(offset + i + 1) & 0xff : 0;
            sum += ((bytes.get(offset + i) & 0xff) << 8) | low;
        }
        return sum;
    }

    public static int fold(int sum) {
        int folded = sum;
        while (folded > 0xffff) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return folded;
    }
}
