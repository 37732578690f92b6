// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * What a server puts into its QUIC connection IDs so that packets find it: 1 to 15 opaque bytes, which have no order
 * and are no number ({@code 01} and {@code 0001} are two servers). Immutable; equal by content.
 */
public final class ServerId {
    /** The longest: a connection ID of version 1 has 20 octets, of which the first and four of nonce are taken. */
    public static final int MAX_BYTES = 15;

    private final byte[] bytes;

    private ServerId(byte[] bytes) {
        if (bytes.length < 1 || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("a server ID has 1 to " + MAX_BYTES + " bytes, not " + bytes.length);
        }
        this.bytes = bytes;
    }

    /**
     * A server ID of those bytes, which are copied.
     *
     * @throws IllegalArgumentException unless there are 1 to 15
     */
    public static ServerId ofBytes(byte[] bytes) {
        return new ServerId(bytes.clone());
    }

    /**
     * Reads hexadecimal digits of either case, two a byte, without a prefix.
     *
     * @throws IllegalArgumentException for anything else, or unless they make 1 to 15 bytes
     */
    public static ServerId ofHex(String digits) {
        if (digits.length() % 2 != 0 || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("a server ID has two hexadecimal digits a byte, not \"" + digits + '"');
        }
        return new ServerId(HexFormat.of().parseHex(digits));
    }

    /** The bytes as they stand in a connection ID, a copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Number of bytes, 1 to 15. */
    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ServerId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The text form: lower-case hexadecimal digits, as {@link #ofHex} reads them. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
