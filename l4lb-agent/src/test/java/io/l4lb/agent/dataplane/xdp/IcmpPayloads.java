// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.InternetChecksum;
import io.l4lb.hashing.packet.IpProtocol;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** ICMP messages of both families: echo requests, errors, and others, some with a mistake. */
final class IcmpPayloads {
    private static final int HEADER = 8;
    private static final int[] ERRORS4 = {3, 3, 3, 3, 3, 11, 11, 11, 11, 4, 5, 12, 13};
    private static final int[] ERRORS6 = {1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 0, 127, 137};
    private static final int[] OTHERS4 = {0, 8, 9, 13, 17};
    private static final int[] OTHERS6 = {129, 128, 135, 136, 143};
    /** With these, making 0 of type 8, or 129 of 128, carries or just does not. */
    private static final int[] CHECKSUMS = {
        0xffff, 0xfffe, 0, 1, 0xf7ff, 0xf7fe, 0xf800, 0xf801, 0x00ff, 0x0100, 0x0101, 0xfeff, 0xff00
    };

    private final Dice dice;

    IcmpPayloads(Dice dice) {
        this.dice = dice;
    }

    /** An echo request with some data, of odd length too; rarely another message. */
    Payload echo(InetAddress source, InetAddress destination, byte[] data) {
        boolean ipv4 = RawPacket.isIpv4(source);
        int type = dice.rarely() ? dice.one(ipv4 ? OTHERS4 : OTHERS6) : ipv4 ? 8 : 128;
        ByteBuffer message = ByteBuffer.allocate(HEADER + data.length);
        message.put((byte) type)
                .put((byte) (dice.rarely() ? dice.below(256) : 0))
                .putShort((short) 0);
        message.put(dice.bytes(4)).put(data);
        return message(source, destination, message.array());
    }

    /**
     * An error.
     *
     * @param quoted the packet that it is about, or the beginning of it
     */
    Payload error(InetAddress source, InetAddress destination, byte[] quoted) {
        boolean ipv4 = RawPacket.isIpv4(source);
        ByteBuffer message = ByteBuffer.allocate(HEADER + quoted.length);
        message.put((byte) dice.one(ipv4 ? ERRORS4 : ERRORS6)).put((byte) dice.below(6));
        message.putShort((short) 0).put(dice.bytes(4)).put(quoted);
        return message(source, destination, message.array());
    }

    /**
     * A router's message that a packet is too big; rarely another one.
     *
     * @param mtu of its next link
     * @param quoted the beginning of the packet
     */
    Payload tooBig(InetAddress source, InetAddress destination, int mtu, byte[] quoted) {
        boolean ipv4 = RawPacket.isIpv4(source);
        ByteBuffer message = ByteBuffer.allocate(HEADER + quoted.length);
        message.put((byte) (dice.rarely() ? dice.one(ipv4 ? ERRORS4 : ERRORS6) : ipv4 ? 3 : 2));
        message.put((byte) (dice.rarely() ? dice.below(6) : ipv4 ? 4 : 0)).putShort((short) 0);
        // Where IPv4 has nothing, some routers write how much they quote (RFC 4884).
        message.putInt(dice.rarely() ? mtu | dice.below(0x10000) << 16 : mtu).put(quoted);
        byte[] bytes = message.array();
        int right = rightChecksum(source, destination, bytes);
        return message(source, bytes, dice.oneIn(12) ? dice.one(CHECKSUMS) : right);
    }

    /** So much of a packet as some router quotes: eight bytes behind its header, or all, or anything. */
    byte[] quote(byte[] packet, int header) {
        int length =
                switch (dice.below(12)) {
                    case 0, 1, 2, 3, 4 -> header + HEADER;
                    case 5, 6 -> header + 4;
                    case 7 -> header + dice.below(HEADER);
                    case 8 -> dice.below(packet.length + 1);
                    default -> packet.length;
                };
        return Arrays.copyOf(packet, Math.min(Math.min(length, packet.length), 1000));
    }

    private Payload message(InetAddress source, InetAddress destination, byte[] bytes) {
        int checksum = dice.oneIn(2) ? dice.one(CHECKSUMS) : rightChecksum(source, destination, bytes);
        return message(source, bytes, checksum);
    }

    private static int protocol(InetAddress source) {
        return RawPacket.isIpv4(source) ? IpProtocol.ICMP : IpProtocol.ICMPV6;
    }

    private static int rightChecksum(InetAddress source, InetAddress destination, byte[] bytes) {
        boolean ipv4 = RawPacket.isIpv4(source);
        long pseudo = ipv4
                ? 0
                : InternetChecksum.sum(source.getAddress(), 0, 16)
                        + InternetChecksum.sum(destination.getAddress(), 0, 16)
                        + bytes.length
                        + protocol(source);
        return InternetChecksum.of(bytes, 0, bytes.length, pseudo);
    }

    private Payload message(InetAddress source, byte[] bytes, int checksum) {
        int protocol = protocol(source);
        return new Payload(
                dice.rarely() ? protocol ^ (IpProtocol.ICMP ^ IpProtocol.ICMPV6) : protocol,
                ByteBuffer.wrap(bytes).putShort(2, (short) checksum).array());
    }
}
