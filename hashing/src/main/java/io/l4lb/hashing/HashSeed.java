// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * The site's 128-bit secret: the key of the flow hash and of the lookup tables. Every director of a site has the same
 * one, and nobody outside knows it, so that nobody can choose addresses that all fall on one real.
 *
 * @param k0 first half of SipHash's key: bytes 0 to 7, little endian
 * @param k1 second half: bytes 8 to 15, little endian
 */
public record HashSeed(long k0, long k1) {
    /** Length of the secret in bytes. */
    public static final int BYTES = 16;

    /**
     * Reads the key in SipHash's convention: two little-endian 64-bit words.
     *
     * @throws IllegalArgumentException unless there are 16 bytes
     */
    public static HashSeed ofBytes(byte[] sixteen) {
        if (sixteen.length != BYTES) {
            throw new IllegalArgumentException("a seed has " + BYTES + " bytes, not " + sixteen.length);
        }
        ByteBuffer words = ByteBuffer.wrap(sixteen).order(ByteOrder.LITTLE_ENDIAN);
        return new HashSeed(words.getLong(0), words.getLong(Long.BYTES));
    }

    /**
     * Reads the 16 bytes of {@link #ofBytes} from 32 hexadecimal digits, of either case.
     *
     * @throws IllegalArgumentException for anything else; the message does not repeat the text, which may be nearly the
     *     secret
     */
    public static HashSeed ofHex(String digits) {
        if (digits.length() != 2 * BYTES || !digits.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("a seed has " + 2 * BYTES + " hexadecimal digits");
        }
        return ofBytes(HexFormat.of().parseHex(digits));
    }

    /** Never shows the secret: this ends up in logs. */
    @Override
    public String toString() {
        return "HashSeed[secret]";
    }
}
