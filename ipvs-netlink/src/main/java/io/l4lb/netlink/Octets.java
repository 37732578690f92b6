// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
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
    public static final Octets EMPTY = new Octets(new byte[0]);

    private final byte[] bytes;

    private Octets(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Octets(bytes.clone());
    }

    /** The 4 or 16 octets of an address. */
    public static Octets of(InetAddress address) {
        return new Octets(address.getAddress());
    }

    /** Hex digits; blanks between bytes are ignored. */
    public static Octets fromHex(String hex) {
        return new Octets(HexFormat.of().parseHex(hex.replaceAll("\\s+", "")));
    }

    public int length() {
        return bytes.length;
    }

    public int u8(int offset) {
        require(offset, 1);
        return bytes[offset] & 0xff;
    }

    public int u16Host(int offset) {
        return view(offset, 2, ByteOrder.nativeOrder()).getShort(offset) & 0xffff;
    }

    public int u16Network(int offset) {
        return view(offset, 2, ByteOrder.BIG_ENDIAN).getShort(offset) & 0xffff;
    }

    public int i32Host(int offset) {
        return view(offset, 4, ByteOrder.nativeOrder()).getInt(offset);
    }

    public long u32Host(int offset) {
        return i32Host(offset) & 0xffff_ffffL;
    }

    public long u32Network(int offset) {
        return view(offset, 4, ByteOrder.BIG_ENDIAN).getInt(offset) & 0xffff_ffffL;
    }

    /** Unsigned 64 bits in a long; those past 2^63-1 read as negative. */
    public long u64Host(int offset) {
        return view(offset, 8, ByteOrder.nativeOrder()).getLong(offset);
    }

    public Octets slice(int offset, int length) {
        require(offset, length);
        return new Octets(Arrays.copyOfRange(bytes, offset, offset + length));
    }

    public Octets from(int offset) {
        return slice(offset, bytes.length - offset);
    }

    public Octets plus(Octets next) {
        byte[] joined = Arrays.copyOf(bytes, bytes.length + next.bytes.length);
        System.arraycopy(next.bytes, 0, joined, bytes.length, next.bytes.length);
        return new Octets(joined);
    }

    /** An address of exactly 4 or 16 octets; 16 octets always make an Inet6Address, also for ::ffff:0:0/96. */
    public InetAddress toAddress() {
        try {
            return bytes.length == 16
                    ? Inet6Address.getByAddress(null, bytes.clone(), -1)
                    : InetAddress.getByAddress(bytes.clone());
        } catch (UnknownHostException notAnAddress) {
            throw NetlinkException.malformed("an address of " + bytes.length + " octets");
        }
    }

    /** A string up to its first NUL, or all of it when it has none. */
    public String toText() {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    public byte[] toArray() {
        return bytes.clone();
    }

    public String toHex() {
        return HexFormat.of().formatHex(bytes);
    }

    private ByteBuffer view(int offset, int length, ByteOrder order) {
        require(offset, length);
        return ByteBuffer.wrap(bytes).order(order);
    }

    private void require(int offset, int length) {
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw NetlinkException.malformed(length + " octets needed at " + offset + " of " + bytes.length);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Octets octets && Arrays.equals(bytes, octets.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
