// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.NetworkOrder;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The outer source address of tunnel packets, which varies with the flow so that the real's NIC can spread them.
 *
 * @param address as configured
 * @param spreadBits how many of its low bits are replaced by those of the flow hash, 0 to 16
 */
public record OuterSource(InetAddress address, int spreadBits) {
    /** The most bits that can vary. */
    public static final int MAX_SPREAD_BITS = 16;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException for a number of bits out of its range
     */
    public OuterSource {
        if (spreadBits < 0 || spreadBits > MAX_SPREAD_BITS) {
            throw new IllegalArgumentException(
                    "0 to " + MAX_SPREAD_BITS + " bits can vary with the flow, not " + spreadBits);
        }
    }

    /** Whether it is the address for some flow. */
    boolean covers(InetAddress other) {
        byte[] bytes = other.getAddress();
        return bytes.length == address.getAddress().length
                && forHash(lastBits(bytes)).equals(other);
    }

    private static long lastBits(byte[] bytes) {
        return NetworkOrder.u16(bytes, bytes.length - 2);
    }

    /** The address for flows of that hash. */
    InetAddress forHash(long hash) {
        byte[] bytes = address.getAddress();
        int mask = (1 << spreadBits) - 1;
        int last = bytes.length - 1;
        bytes[last] = (byte) ((bytes[last] & ~mask) | (hash & mask));
        bytes[last - 1] = (byte) ((bytes[last - 1] & ~(mask >>> 8)) | ((hash & mask) >>> 8));
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
