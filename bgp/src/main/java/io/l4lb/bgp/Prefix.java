// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.Inet6Address;
import java.net.InetAddress;

/** An IPv4 or IPv6 network; bits of the address beyond the length are zero. */
public record Prefix(InetAddress address, int length) {
    public Prefix {
        byte[] bytes = address.getAddress();
        if (length < 0 || length > 8 * bytes.length) {
            throw new IllegalArgumentException("prefix length " + length + " of " + IpLiteral.text(address));
        }
        for (int bit = length; bit < 8 * bytes.length; bit++) {
            if ((bytes[bit >> 3] & (0x80 >> (bit & 7))) != 0) {
                throw new IllegalArgumentException("host bits are set in " + IpLiteral.text(address) + "/" + length);
            }
        }
    }

    /** The /32 or /128 of one address. */
    public static Prefix host(InetAddress address) {
        return new Prefix(address, 8 * address.getAddress().length);
    }

    /** "192.0.2.0/24"; throws IllegalArgumentException. */
    public static Prefix parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !text.substring(slash + 1).matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("not a prefix: " + text);
        }
        return new Prefix(IpLiteral.parse(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
    }

    public boolean isIpv6() {
        return address instanceof Inet6Address;
    }

    @Override
    public String toString() {
        return IpLiteral.text(address) + "/" + length;
    }
}
