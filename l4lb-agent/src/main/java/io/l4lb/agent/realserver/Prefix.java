// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.model.IpText;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses that have their first bits in common; the others of {@code address} are zero. */
public record Prefix(InetAddress address, int length) {
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,3}");

    static final Prefix EVERYTHING = parse("::/0");

    public Prefix {
        if (length < 0 || length > bits(address)) {
            throw new IllegalArgumentException("a prefix of " + length + " bits");
        }
    }

    /** An address alone, or {@code address/length}. */
    public static Prefix parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = address(slash < 0 ? text : text.substring(0, slash));
        if (slash < 0) {
            return host(address);
        }
        String length = text.substring(slash + 1);
        if (!LENGTH.matcher(length).matches() || Integer.parseInt(length) > bits(address)) {
            throw new IllegalArgumentException("\"" + text + "\" has no length of 0 to " + bits(address));
        }
        Prefix prefix = new Prefix(address, Integer.parseInt(length));
        if (!prefix.hostBitsAreZero()) {
            throw new IllegalArgumentException("\"" + text + "\" has bits behind its length");
        }
        return prefix;
    }

    static Prefix host(InetAddress address) {
        return new Prefix(address, bits(address));
    }

    /**
     * Reads an address; never resolves a name.
     *
     * @throws IllegalArgumentException it is none
     */
    public static InetAddress address(String text) {
        boolean ipv4 = IPV4.matcher(text).matches();
        if (ipv4 || IPV6.matcher(text).matches()) {
            try {
                InetAddress address = InetAddress.getByName(text);
                if (ipv4 == address instanceof Inet4Address) {
                    return address;
                }
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("\"" + text + "\" is not an IP address", e);
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is not an IP address");
    }

    boolean isIpv4() {
        return address instanceof Inet4Address;
    }

    private static int bits(InetAddress address) {
        return address.getAddress().length * Byte.SIZE;
    }

    private boolean hostBitsAreZero() {
        byte[] bytes = address.getAddress();
        for (int bit = length; bit < bits(address); bit++) {
            if ((bytes[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return IpText.of(address) + "/" + length;
    }
}
