// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The header fields that name a flow: the 5-tuple, as a client's packet carries it. {@link HashKey} says which of them
 * are hashed.
 *
 * <p>Addresses are kept without host name and scope; a mapped address {@code ::ffff:a.b.c.d} is the IPv4 address
 * {@code a.b.c.d}.
 *
 * @param source the client's address, of the VIP's family
 * @param sourcePort 0 to 65535
 * @param vip the address the packet is sent to
 * @param vipPort 0 to 65535
 * @param protocol the IP protocol number, 0 to 255
 */
public record FlowKey(InetAddress source, int sourcePort, InetAddress vip, int vipPort, int protocol) {
    /** Length of {@link #encode()}. */
    public static final int BYTES = 40;

    private static final int ADDRESS_BYTES = 16;
    private static final int PAD_BYTES = 3;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException for a number out of its range, or addresses of two families
     */
    public FlowKey {
        source = plain(source.getAddress());
        vip = plain(vip.getAddress());
        if ((source instanceof Inet4Address) != (vip instanceof Inet4Address)) {
            throw new IllegalArgumentException("a flow has one address family: " + source.getHostAddress() + " and "
                    + vip.getHostAddress() + " are of two");
        }
        check("source port", sourcePort, 0xffff);
        check("VIP port", vipPort, 0xffff);
        check("protocol", protocol, 0xff);
    }

    /**
     * The 40 bytes of {@code struct flow_key} in {@code l4lb.h}: source (16), VIP (16), source port (2), VIP port (2),
     * protocol (1), zero (3). All in network byte order; IPv4 addresses are mapped.
     */
    public byte[] encode() {
        ByteBuffer key = ByteBuffer.allocate(BYTES).order(ByteOrder.BIG_ENDIAN);
        putAddress(key, source);
        putAddress(key, vip);
        key.putShort((short) sourcePort).putShort((short) vipPort).put((byte) protocol);
        return key.array();
    }

    /**
     * Reads what {@link #encode()} wrote, or a key of the flow table.
     *
     * @throws IllegalArgumentException unless there are 40 bytes, the padding is zero and the addresses are of one
     *     family
     */
    public static FlowKey decode(byte[] forty) {
        if (forty.length != BYTES) {
            throw new IllegalArgumentException("a flow key has " + BYTES + " bytes, not " + forty.length);
        }
        ByteBuffer key = ByteBuffer.wrap(forty).order(ByteOrder.BIG_ENDIAN);
        InetAddress source = takeAddress(key);
        InetAddress vip = takeAddress(key);
        int sourcePort = Short.toUnsignedInt(key.getShort());
        int vipPort = Short.toUnsignedInt(key.getShort());
        int protocol = Byte.toUnsignedInt(key.get());
        for (int i = 0; i < PAD_BYTES; i++) {
            if (key.get() != 0) {
                throw new IllegalArgumentException("the padding of a flow key is not zero");
            }
        }
        return new FlowKey(source, sourcePort, vip, vipPort, protocol);
    }

    /**
     * The 3-tuple of source, VIP and protocol: this key with both ports 0, so that all of a client's flows of that
     * protocol, and fragments without ports, have the same key. A protocol without ports has it anyway.
     */
    public FlowKey threeTuple() {
        return new FlowKey(source, 0, vip, 0, protocol);
    }

    /**
     * The key of the opposite direction: source and VIP change places with their ports. An ICMP error quotes a packet
     * that a real sent, from the VIP to the client; the reverse of the quoted packet's key is the key under which the
     * client's packets are scheduled.
     */
    public FlowKey reversed() {
        return new FlowKey(vip, vipPort, source, sourcePort, protocol);
    }

    /** The flow hash, the same 64 bits as the XDP program computes. */
    public long hash(HashSeed seed) {
        return SipHash.hash13(seed, encode());
    }

    private static void putAddress(ByteBuffer key, InetAddress address) {
        byte[] bytes = address.getAddress();
        key.put(address instanceof Inet4Address ? MappedAddress.of(bytes) : bytes);
    }

    private static InetAddress takeAddress(ByteBuffer key) {
        byte[] bytes = new byte[ADDRESS_BYTES];
        key.get(bytes);
        return plain(bytes);
    }

    /** The address alone. The JDK makes an IPv4 address of a mapped one, but does not promise it: done here. */
    private static InetAddress plain(byte[] address) {
        boolean mapped = address.length == ADDRESS_BYTES && MappedAddress.isAt(address, 0);
        try {
            return InetAddress.getByAddress(
                    mapped ? Arrays.copyOfRange(address, MappedAddress.PREFIX_BYTES, ADDRESS_BYTES) : address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + address.length + " bytes", e);
        }
    }

    private static void check(String what, int value, int max) {
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(what + " " + value + " is not in 0.." + max);
        }
    }
}
