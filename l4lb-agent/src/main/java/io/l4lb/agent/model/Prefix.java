// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;

/**
 * A range of addresses.
 *
 * @param address the first of them
 * @param length how many of the upper bits they share
 */
public record Prefix(InetAddress address, int length) {
    public Prefix {
        byte[] bytes = address.getAddress();
        if (length < 0 || length > 8 * bytes.length) {
            throw new IllegalArgumentException("a prefix of " + length + " bits");
        }
        for (int bit = length; bit < 8 * bytes.length; bit++) {
            if ((bytes[bit / 8] & (0x80 >> (bit % 8))) != 0) {
                throw new IllegalArgumentException(
                        IpText.of(address) + " is not the first address of a prefix of " + length + " bits");
            }
        }
    }

    /** How many of the lower bits differ. */
    public int hostBits() {
        return 8 * address.getAddress().length - length;
    }

    /** Whether an address is one of them. */
    public boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] bytes = other.getAddress();
        boolean same = mine.length == bytes.length;
        for (int bit = 0; same && bit < length; bit++) {
            same = ((mine[bit / 8] ^ bytes[bit / 8]) & (0x80 >> (bit % 8))) == 0;
        }
        return same;
    }

    /** {@code 10.0.0.16/28}. */
    @Override
    public String toString() {
        return IpText.of(address) + "/" + length;
    }
}
