// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.IpText;
import io.l4lb.hashing.MappedAddress;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** IP addresses in text (RFC 4291, section 2.2), without zones. No name is ever resolved. */
final class AddressLiteral {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");
    private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
    private static final byte[] BROADCAST = {-1, -1, -1, -1};

    private AddressLiteral() {}

    /** An address of a router, which may be of any scope but must name one host. */
    static InetAddress host(String text) {
        InetAddress address = any(text);
        refuse(address.isAnyLocalAddress(), text, "is the unspecified address");
        refuse(address.isMulticastAddress(), text, "is a multicast address");
        refuse(Arrays.equals(address.getAddress(), BROADCAST), text, "is the broadcast address");
        return address;
    }

    /** An address that packets can be sent to from afar: of a VIP or a real. */
    static InetAddress routable(String text) {
        InetAddress address = host(text);
        refuse(address.isLoopbackAddress(), text, "is a loopback address");
        boolean linkLocal = address instanceof Inet6Address && address.isLinkLocalAddress();
        refuse(linkLocal, text, "is a link-local address");
        return address;
    }

    static Inet4Address routerId(String text) {
        InetAddress address = any(text);
        if (!(address instanceof Inet4Address id)) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not an IPv4 address");
        }
        refuse(id.isAnyLocalAddress(), text, "cannot be a router id");
        return id;
    }

    static InetAddress any(String text) {
        byte[] bytes = text.indexOf(':') < 0 ? ipv4(text) : ipv6(text);
        if (bytes == null) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not an IP address (names are not resolved)");
        }
        if (bytes.length == 16 && MappedAddress.isAt(bytes, 0)) {
            String plain = IpText.of(address(Arrays.copyOfRange(bytes, MappedAddress.PREFIX_BYTES, 16)));
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is an IPv4 address in IPv6 form; write " + Shown.quoted(plain));
        }
        return address(bytes);
    }

    private static void refuse(boolean wrong, String text, String why) {
        if (wrong) {
            throw new ImpossibleValueException(Shown.quoted(text) + " " + why);
        }
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    private static byte @Nullable [] ipv4(String text) {
        Matcher octets = IPV4.matcher(text);
        if (!octets.matches()) {
            return null;
        }
        byte[] bytes = new byte[4];
        for (int i = 0; i < 4; i++) {
            String octet = octets.group(i + 1);
            int value = Integer.parseInt(octet);
            if (value > 255 || (octet.length() > 1 && octet.startsWith("0"))) {
                return null;
            }
            bytes[i] = (byte) value;
        }
        return bytes;
    }

    private static byte @Nullable [] ipv6(String text) {
        int gap = text.indexOf("::");
        byte[] head = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        byte[] tail = groups(gap < 0 ? "" : text.substring(gap + 2), true);
        if (head == null || tail == null) {
            return null;
        }
        int length = head.length + tail.length;
        if (gap < 0 ? length != 16 : length > 14) {
            return null;
        }
        byte[] bytes = Arrays.copyOf(head, 16);
        System.arraycopy(tail, 0, bytes, 16 - tail.length, tail.length);
        return bytes;
    }

    /** The bytes of groups between colons, the last of which may be an IPv4 address where {@code atEnd}. */
    private static byte @Nullable [] groups(String text, boolean atEnd) {
        if (text.isEmpty()) {
            return new byte[0];
        }
        String[] groups = text.split(":", -1);
        byte[] last = atEnd ? ipv4(groups[groups.length - 1]) : null;
        int plain = last == null ? groups.length : groups.length - 1;
        if (groups.length > 8) {
            return null;
        }
        byte[] bytes = new byte[plain * 2 + (last == null ? 0 : 4)];
        for (int i = 0; i < plain; i++) {
            if (!GROUP.matcher(groups[i]).matches()) {
                return null;
            }
            int value = Integer.parseInt(groups[i], 16);
            bytes[2 * i] = (byte) (value >>> 8);
            bytes[2 * i + 1] = (byte) value;
        }
        if (last != null) {
            System.arraycopy(last, 0, bytes, plain * 2, 4);
        }
        return bytes;
    }
}
