// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;

/** Addresses that begin with the same bits, as people write them: {@code 10.1.0.2}, {@code 10.1.0.0/16}, {@code 2001:db8::/32}. */
public final class AddressRange {
    private final byte[] bytes;
    private final int bits;

    private AddressRange(byte[] bytes, int bits) {
        this.bytes = bytes;
        this.bits = bits;
    }

    /**
     * Reads one; nothing is looked up. An address in a prefix is none: what is meant would not be clear.
     *
     * @throws IllegalArgumentException it is none, and the message says so
     */
    public static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        byte[] address = bytes(slash < 0 ? text : text.substring(0, slash));
        if (address == null || address.length == 0) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not an address, as 192.0.2.1 or 2001:db8::1, with or without /LENGTH");
        }
        int longest = address.length * Byte.SIZE;
        int bits = slash < 0 ? longest : length(text, text.substring(slash + 1), longest);
        byte[] first = first(address, bits);
        if (!Arrays.equals(first, address)) {
            throw new IllegalArgumentException("\"" + text + "\" is an address in a prefix; the prefix is \""
                    + NetUtil.bytesToIpAddress(first) + "/" + bits + "\"");
        }
        return new AddressRange(address, bits);
    }

    private static byte[] first(byte[] address, int bits) {
        byte[] first = address.clone();
        for (int bit = bits; bit < first.length * Byte.SIZE; bit++) {
            first[bit / Byte.SIZE] &= (byte) ~(0x80 >> (bit % Byte.SIZE));
        }
        return first;
    }

    private static byte[] bytes(String literal) {
        boolean plain = literal.matches("[0-9a-fA-F:.]+");
        byte[] found = plain ? NetUtil.createByteArrayFromIpAddressString(literal) : null;
        return found == null ? new byte[0] : found;
    }

    private static int length(String text, String digits, int longest) {
        if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > longest) {
            throw new IllegalArgumentException("\"" + text + "\": its length is not within 0 to " + longest);
        }
        return Integer.parseInt(digits);
    }

    /** Whether it is one of them. */
    public boolean contains(InetAddress address) {
        byte[] other = address.getAddress();
        if (other.length != bytes.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        int rest = bits % Byte.SIZE;
        return Arrays.equals(bytes, 0, whole, other, 0, whole)
                && (rest == 0 || (((bytes[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest)) == 0);
    }
}
