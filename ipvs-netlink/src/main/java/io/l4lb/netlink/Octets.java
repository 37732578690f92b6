// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * An immutable run of bytes with checked reads. Every read past the end is a {@link NetlinkException} (EBADMSG), so that a
 * truncated message can never surface as an IndexOutOfBoundsException. "Host" is the machine's byte order, which netlink
 * uses except where an attribute says otherwise; "Network" is big-endian.
 */
public final class Octets {
    public static final Octets EMPTY = new Octets(new byte[0], 0, 0);

    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /** Never changed; a slice shares it with what it was cut from. */
    private final byte[] bytes;

    private final int start;
    private final int length;

    private Octets(byte[] bytes, int start, int length) {
        this.bytes = bytes;
        this.start = start;
        this.length = length;
    }

    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : owning(bytes.clone());
    }

    /** Takes the array over: nobody changes it any more. */
    static Octets owning(byte[] bytes) {
        return new Octets(bytes, 0, bytes.length);
    }

    /** The 4 or 16 octets of an address. */
    public static Octets of(InetAddress address) {
        return owning(address.getAddress());
    }

    /** Hex digits; blanks between bytes are ignored. */
    public static Octets fromHex(String hex) {
        return owning(HexFormat.of().parseHex(hex.replaceAll("\\s+", "")));
    }

    public int length() {
        return length;
    }

    public int u8(int offset) {
        require(offset, 1);
        return at(offset);
    }

    public int u16Host(int offset) {
        require(offset, 2);
        return LITTLE_ENDIAN ? at(offset) | (at(offset + 1) << 8) : bigEndian16(offset);
    }

    public int u16Network(int offset) {
        require(offset, 2);
        return bigEndian16(offset);
    }

    public int i32Host(int offset) {
        require(offset, 4);
        return hostInt(offset);
    }

    public long u32Host(int offset) {
        return i32Host(offset) & 0xffff_ffffL;
    }

    public long u32Network(int offset) {
        require(offset, 4);
        return bigEndian32(offset) & 0xffff_ffffL;
    }

    /** Unsigned 64 bits in a long; those past 2^63-1 read as negative. */
    public long u64Host(int offset) {
        require(offset, 8);
        long first = hostInt(offset) & 0xffff_ffffL;
        long second = hostInt(offset + 4) & 0xffff_ffffL;
        return LITTLE_ENDIAN ? first | (second << 32) : (first << 32) | second;
    }

    private int at(int offset) {
        return bytes[start + offset] & 0xff;
    }

    private int bigEndian16(int offset) {
        return (at(offset) << 8) | at(offset + 1);
    }

    private int bigEndian32(int offset) {
        return (bigEndian16(offset) << 16) | bigEndian16(offset + 2);
    }

    private int hostInt(int offset) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(bigEndian32(offset)) : bigEndian32(offset);
    }

    public Octets slice(int offset, int size) {
        require(offset, size);
        return new Octets(bytes, start + offset, size);
    }

    public Octets from(int offset) {
        return slice(offset, length - offset);
    }

    public Octets plus(Octets next) {
        byte[] joined = Arrays.copyOf(toArray(), length + next.length);
        next.copyTo(joined, length);
        return owning(joined);
    }

    void copyTo(byte[] target, int offset) {
        System.arraycopy(bytes, start, target, offset, length);
    }

    /** An address of exactly 4 or 16 octets; 16 octets always make an Inet6Address, also for ::ffff:0:0/96. */
    public InetAddress toAddress() {
        try {
            return length == 16 ? Inet6Address.getByAddress(null, toArray(), -1) : InetAddress.getByAddress(toArray());
        } catch (UnknownHostException notAnAddress) {
            throw NetlinkException.malformed("an address of " + length + " octets");
        }
    }

    /** A string up to its first NUL, or all of it when it has none. */
    public String toText() {
        int end = 0;
        while (end < length && at(end) != 0) {
            end++;
        }
        return new String(bytes, start, end, StandardCharsets.UTF_8);
    }

    public byte[] toArray() {
        return Arrays.copyOfRange(bytes, start, start + length);
    }

    public String toHex() {
        return HexFormat.of().formatHex(bytes, start, start + length);
    }

    private void require(int offset, int size) {
        if (offset < 0 || size < 0 || offset > length - size) {
            throw NetlinkException.malformed(size + " octets needed at " + offset + " of " + length);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Octets octets
                && Arrays.equals(
                        bytes, start, start + length, octets.bytes, octets.start, octets.start + octets.length);
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + at(i);
        }
        return hash;
    }

    @Override
    public String toString() {
        return toHex();
    }
}
