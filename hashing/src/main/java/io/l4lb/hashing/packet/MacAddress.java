// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.HexFormat;

/**
 * A 48-bit Ethernet address.
 *
 * @param bits the six bytes as a big-endian number
 */
public record MacAddress(long bits) {
    /** Length in bytes. */
    public static final int BYTES = 6;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException for more than 48 bits
     */
    public MacAddress {
        if (bits >>> (8 * BYTES) != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits, not " + Long.toHexString(bits));
        }
    }

    /**
     * Reads six bytes as they go over the wire.
     *
     * @throws IllegalArgumentException unless there are six
     */
    public static MacAddress ofBytes(byte[] six) {
        if (six.length != BYTES) {
            throw new IllegalArgumentException("a MAC address has " + BYTES + " bytes, not " + six.length);
        }
        return read(six, 0);
    }

    /** The address in {@code bytes[at]} to {@code bytes[at + 5]}. */
    static MacAddress read(byte[] bytes, int at) {
        return new MacAddress(((long) NetworkOrder.u16(bytes, at) << 32) | NetworkOrder.u32(bytes, at + 2));
    }

    /** The six bytes as they go over the wire. */
    public byte[] toBytes() {
        byte[] six = new byte[BYTES];
        NetworkOrder.put16(six, 0, (int) (bits >>> 32));
        NetworkOrder.put32(six, 2, bits);
        return six;
    }

    /** Six pairs of lower-case hexadecimal digits with colons. */
    @Override
    public String toString() {
        return HexFormat.ofDelimiter(":").formatHex(toBytes());
    }
}
