// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;

/** Who sends packets, and to whom: few clients, VIPs mostly, and addresses that no packet may have. */
final class Addresses {
    private static final List<InetAddress> CLIENTS4 = List.of(ip("198.51.100.7"), ip("198.51.100.8"));
    private static final List<InetAddress> CLIENTS6 = List.of(ip("2001:db8:1::7"), ip("2001:db8:1::8"));
    private static final List<InetAddress> ROUTERS4 = List.of(ip("203.0.113.1"), ip("203.0.113.2"));
    private static final List<InetAddress> ROUTERS6 = List.of(ip("2001:db8:2::1"), ip("fe80::1"));
    /** Several hosts, none, or the sender itself; and neighbours of those, that are hosts. */
    private static final List<InetAddress> ODD4 = List.of(
            ip("224.0.0.1"),
            ip("239.255.255.255"),
            ip("240.0.0.1"),
            ip("255.255.255.255"),
            ip("0.0.0.0"),
            ip("0.0.0.1"),
            ip("127.0.0.1"),
            ip("127.255.255.255"),
            ip("128.0.0.1"),
            ip("223.255.255.255"),
            ip("192.0.2.10"));

    private static final List<InetAddress> ODD6 = List.of(
            ip("ff02::1"),
            ip("ff0e::1"),
            ip("fe00::1"),
            ip("::"),
            ip("::1"),
            ip("::2"),
            ip("0:0:0:1::1"),
            ip("64:ff9b::192.0.2.10"),
            ip("::192.0.2.10"),
            ip("2001:db8::10"),
            mapped("c6336407"));

    /** The second has the bit of a VIP in the filter, the last is how the first IPv4 VIP is stored. */
    private static final List<InetAddress> NO_VIPS6 =
            List.of(ip("2001:db8::11"), ip("2001:db8::10:0:0"), ip("::192.0.2.10"), mapped("c000020a"));

    private static final List<InetAddress> NO_VIPS4 = List.of(ip("192.0.2.11"), ip("192.2.0.10"), ip("224.0.0.1"));

    private final Dice dice;

    Addresses(Dice dice) {
        this.dice = dice;
    }

    private static InetAddress mapped(String hex) {
        try {
            byte[] bytes = HexFormat.of().parseHex("00000000000000000000ffff" + hex);
            return Inet6Address.getByAddress("", bytes, -1);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an IPv6 address", e);
        }
    }

    InetAddress client(boolean ipv4) {
        return dice.rarely() ? dice.one(ipv4 ? ODD4 : ODD6) : dice.one(ipv4 ? CLIENTS4 : CLIENTS6);
    }

    /** Who reports an error: a router on the way, or the client itself. */
    InetAddress router(boolean ipv4, InetAddress client) {
        return dice.oneIn(3) ? client : dice.rarely() ? client(ipv4) : dice.one(ipv4 ? ROUTERS4 : ROUTERS6);
    }

    /** That VIP; rarely another address. */
    InetAddress vip(InetAddress vip) {
        return dice.rarely() ? dice.one(RawPacket.isIpv4(vip) ? NO_VIPS4 : NO_VIPS6) : vip;
    }
}
