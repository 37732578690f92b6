// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** IP addresses as text: parsed without ever resolving a name, written as inet_ntop(3) and so ExaBGP writes them. */
public final class IpLiteral {
    private static final int GROUPS = 8;

    private IpLiteral() {}

    /** Throws IllegalArgumentException for everything that is not an IPv4 or IPv6 literal. */
    public static InetAddress parse(String text) {
        try {
            return InetAddress.getByAddress(text.indexOf(':') < 0 ? ipv4(text) : ipv6(text));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an IP address: " + text, e);
        }
    }

    public static String text(InetAddress address) {
        return address instanceof Inet6Address ? ipv6Text(address.getAddress()) : address.getHostAddress();
    }

    private static byte[] ipv4(String text) {
        String[] parts = text.split("\\.", -1);
        byte[] bytes = new byte[4];
        if (parts.length != bytes.length) {
            throw notAnAddress(text);
        }
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) number(text, parts[i], 10, 3, 255);
        }
        return bytes;
    }

    private static byte[] ipv6(String text) {
        int gap = text.indexOf("::");
        List<Integer> head = groups(text, gap < 0 ? text : text.substring(0, gap));
        List<Integer> tail = gap < 0 ? List.of() : groups(text, text.substring(gap + 2));
        int given = head.size() + tail.size();
        if (gap < 0 ? given != GROUPS : given >= GROUPS) {
            throw notAnAddress(text);
        }
        byte[] bytes = new byte[2 * GROUPS];
        for (int i = 0; i < given; i++) {
            int group = i < head.size() ? head.get(i) : tail.get(i - head.size());
            int at = 2 * (i < head.size() ? i : GROUPS - given + i);
            bytes[at] = (byte) (group >> 8);
            bytes[at + 1] = (byte) group;
        }
        return bytes;
    }

    private static List<Integer> groups(String text, String part) {
        List<Integer> groups = new ArrayList<>();
        if (part.isEmpty()) {
            return groups;
        }
        String[] words = part.split(":", -1);
        for (int i = 0; i < words.length; i++) {
            if (i == words.length - 1 && words[i].indexOf('.') >= 0) {
                byte[] v4 = ipv4(words[i]);
                groups.add(((v4[0] & 0xff) << 8) | (v4[1] & 0xff));
                groups.add(((v4[2] & 0xff) << 8) | (v4[3] & 0xff));
            } else {
                groups.add(number(text, words[i], 16, 4, 0xffff));
            }
        }
        return groups;
    }

    private static int number(String text, String digits, int radix, int width, int max) {
        if (digits.isEmpty() || digits.length() > width || !digits.chars().allMatch(c -> isDigit(c, radix))) {
            throw notAnAddress(text);
        }
        int value = Integer.parseInt(digits, radix);
        if (value > max || (radix == 10 && digits.length() > 1 && digits.charAt(0) == '0')) {
            throw notAnAddress(text);
        }
        return value;
    }

    private static boolean isDigit(int c, int radix) {
        return c < 128 && Character.digit(c, radix) >= 0;
    }

    private static IllegalArgumentException notAnAddress(String text) {
        return new IllegalArgumentException("not an IP address: " + text);
    }

    /** RFC 5952: the longest run of at least two zero groups becomes "::", the first one if several are as long. */
    private static String ipv6Text(byte[] bytes) {
        int start = -1;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int run = 0;
            while (i + run < GROUPS && group(bytes, i + run) == 0) {
                run++;
            }
            if (run > length) {
                start = i;
                length = run;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.isEmpty() || (start >= 0 && i == start + length) ? "" : ":");
                text.append(Integer.toHexString(group(bytes, i)).toLowerCase(Locale.ROOT));
            }
        }
        return text.toString();
    }

    private static int group(byte[] bytes, int index) {
        return ((bytes[2 * index] & 0xff) << 8) | (bytes[2 * index + 1] & 0xff);
    }
}
