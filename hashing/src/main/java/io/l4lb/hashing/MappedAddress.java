// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;

/** IPv4 addresses in the form of IPv6 ones, {@code ::ffff:a.b.c.d} (RFC 4291, 2.5.5.2): how maps and flow keys hold them. */
public final class MappedAddress {
    /** Length of what comes before the four bytes of the IPv4 address. */
    public static final int PREFIX_BYTES = 12;

    private static final byte[] PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private MappedAddress() {}

    /** Whether the 16 bytes from there on are one. */
    public static boolean isAt(byte[] bytes, int at) {
        return Arrays.equals(bytes, at, at + PREFIX_BYTES, PREFIX, 0, PREFIX_BYTES);
    }

    /** The 16 bytes of an IPv4 address of 4. */
    public static byte[] of(byte[] ipv4) {
        byte[] mapped = Arrays.copyOf(PREFIX, PREFIX_BYTES + ipv4.length);
        System.arraycopy(ipv4, 0, mapped, PREFIX_BYTES, ipv4.length);
        return mapped;
    }
}
