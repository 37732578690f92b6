// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address and a port as people write them: {@code 10.1.0.2:80}, {@code [2001:db8::1]:80}. Never a host name. */
public final class Endpoint {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3}):(\\d{1,5})");
    private static final Pattern IPV6 = Pattern.compile("\\[([0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\\]:(\\d{1,5})");

    private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F:.]+");

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

    /**
     * Reads one, or an address alone, with brackets or without, whose port is then 0.
     *
     * @throws IllegalArgumentException it is neither, and the message says so
     */
    public static InetSocketAddress parseWithOrWithoutPort(String text) {
        return alone(text).map(address -> new InetSocketAddress(address, 0)).orElseGet(() -> parse(text));
    }

    /** The address, if there is nothing else. */
    private static Optional<InetAddress> alone(String text) {
        boolean brackets = text.startsWith("[") && text.endsWith("]");
        String literal = brackets ? text.substring(1, text.length() - 1) : text;
        byte[] bytes = ADDRESS.matcher(literal).matches() ? NetUtil.createByteArrayFromIpAddressString(literal) : null;
        return bytes == null ? Optional.empty() : Optional.of(address(text, bytes));
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
        return new IllegalArgumentException("\"" + text + "\" "
                + (alone(text).isPresent() ? "has no port" : "is not an address and a port")
                + ", as 192.0.2.1:80 or [2001:db8::1]:80");
    }
}
