// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Prefix;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Prefixes such as {@code 10.0.0.16/28} and {@code fd00::100/120}. */
final class PrefixLiteral {
    private static final Pattern FORM = Pattern.compile("([^/]*)/(\\d{1,3})");

    private PrefixLiteral() {}

    /** A parser of IPv4 prefixes that leave at most so many bits open. */
    static Function<String, Prefix> ipv4(int maxHostBits) {
        return text -> parse(text, true, maxHostBits);
    }

    /** A parser of IPv6 prefixes that leave at most so many bits open. */
    static Function<String, Prefix> ipv6(int maxHostBits) {
        return text -> parse(text, false, maxHostBits);
    }

    private static Prefix parse(String text, boolean ipv4, int maxHostBits) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not a prefix; write it like "
                    + (ipv4 ? "\"10.0.0.16/28\"" : "\"fd00::100/120\""));
        }
        InetAddress address = AddressLiteral.routable(parts.group(1));
        if (address instanceof Inet4Address != ipv4) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a prefix of " + (ipv4 ? "IPv4" : "IPv6") + " addresses");
        }
        int bits = ipv4 ? 32 : 128;
        int length = Integer.parseInt(parts.group(2));
        if (length < bits - maxHostBits || length > bits) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " has a length out of range; use " + (bits - maxHostBits) + " to " + bits);
        }
        InetAddress first = first(address, length);
        if (!first.equals(address)) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is an address in a prefix; the prefix is "
                    + Shown.quoted(IpText.of(first) + "/" + length));
        }
        return new Prefix(address, length);
    }

    private static InetAddress first(InetAddress address, int length) {
        byte[] bytes = address.getAddress();
        for (int bit = length; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }
}
