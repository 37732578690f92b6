// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Arrays;

/** Unsigned numbers in network byte order. The caller has checked that they are there. */
public final class NetworkOrder {
    private NetworkOrder() {}

    /** One byte, 0 to 255. */
    public static int u8(byte[] bytes, int at) {
        return Byte.toUnsignedInt(bytes[at]);
    }

    /** Two bytes, 0 to 65535. */
    public static int u16(byte[] bytes, int at) {
        return (u8(bytes, at) << 8) | u8(bytes, at + 1);
    }

    /** Four bytes, 0 to 4294967295. */
    public static long u32(byte[] bytes, int at) {
        return ((long) u16(bytes, at) << 16) | u16(bytes, at + 2);
    }

    /** Writes the low 8 bits. */
    public static void put8(byte[] bytes, int at, int value) {
        bytes[at] = (byte) value;
    }

    /** Writes the low 16 bits. */
    public static void put16(byte[] bytes, int at, int value) {
        put8(bytes, at, value >>> 8);
        put8(bytes, at + 1, value);
    }

    /** Writes the low 32 bits. */
    public static void put32(byte[] bytes, int at, long value) {
        put16(bytes, at, (int) (value >>> 16));
        put16(bytes, at + 2, (int) value);
    }

    /** Writes all of the source. */
    public static void put(byte[] bytes, int at, byte[] source) {
        System.arraycopy(source, 0, bytes, at, source.length);
    }

    /** Two fields of that length, the second right behind the first, change places. */
    static void swap(byte[] bytes, int at, int length) {
        byte[] first = Arrays.copyOfRange(bytes, at, at + length);
        System.arraycopy(bytes, at + length, bytes, at, length);
        put(bytes, at + length, first);
    }
}
