// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

/** The Internet checksum, computed whole (RFC 1071) or mended after a change (RFC 1624). */
public final class InternetChecksum {
    private InternetChecksum() {}

    /**
     * The checksum of some bytes, ready to be stored.
     *
     * @param start a sum that counts too, such as that of a pseudo-header; see {@link #sum}
     */
    public static int of(byte[] bytes, int from, int to, long start) {
        return ~fold(start + sum(bytes, from, to)) & 0xffff;
    }

    /** The plain sum of 16-bit words; an odd last byte is the upper half of a word whose lower half is zero. */
    public static long sum(byte[] bytes, int from, int to) {
        long sum = 0;
        int at = from;
        for (; at + 1 < to; at += 2) {
            sum += NetworkOrder.u16(bytes, at);
        }
        return at < to ? sum + (NetworkOrder.u8(bytes, at) << 8) : sum;
    }

    /**
     * Mends a stored checksum after one 16-bit word under it has changed: RFC 1624, equation 3. What was wrong before
     * stays wrong.
     *
     * @param at where the checksum is
     */
    public static void mend(byte[] bytes, int at, int before, int after) {
        int old = NetworkOrder.u16(bytes, at);
        int sum = fold((long) (~old & 0xffff) + (~before & 0xffff) + (after & 0xffff));
        NetworkOrder.put16(bytes, at, ~sum);
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (int) folded;
    }
}
