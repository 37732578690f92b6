// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address and a port as people write them: {@code 10.1.0.2:80}, {@code [2001:db8::1]:80}. Never a host name. */
public final class Endpoint {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3}):(\\d{1,5})");
    private static final Pattern IPV6 = Pattern.compile("\\[([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\\]:(\\d{1,5})");

    private Endpoint() {}

    /**
     * Reads one; nothing is looked up.
     *
     * @throws IllegalArgumentException it is none, and the message says so
     */
    public static InetSocketAddress parse(String text) {
        Matcher four = IPV4.matcher(text);
        if (four.matches()) {
            byte[] address = new byte[4];
            for (int i = 0; i < address.length; i++) {
                address[i] = (byte) bounded(text, four.group(i + 1), 255);
            }
            return new InetSocketAddress(address(text, address), bounded(text, four.group(5), 65535));
        }
        Matcher six = IPV6.matcher(text);
        if (six.matches()) {
            return new InetSocketAddress(literal(text, six.group(1)), bounded(text, six.group(2), 65535));
        }
        throw invalid(text);
    }

    private static int bounded(String text, String digits, int max) {
        int value = Integer.parseInt(digits);
        if (value > max) {
            throw invalid(text);
        }
        return value;
    }

    private static InetAddress address(String text, byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw invalid(text);
        }
    }

    /** The JDK takes whatever has a colon for an address, or refuses it; it does not look it up. */
    private static InetAddress literal(String text, String literal) {
        try {
            return InetAddress.getByName("[" + literal + "]");
        } catch (UnknownHostException e) {
            throw invalid(text);
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "\"" + text + "\" is not an address and a port, as 192.0.2.1:80 or [2001:db8::1]:80");
    }
}
