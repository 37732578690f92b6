// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Which way packets to one destination leave (struct rtmsg, include/uapi/linux/rtnetlink.h). Of a multipath route it is the
 * one next hop that the kernel chose.
 *
 * @param gateway empty if the destination is on the link; may be of IPv6 for an IPv4 destination
 * @param preferredSource the address that the kernel would send from
 * @param local the destination is an address of this host
 */
public record Route(
        int interfaceIndex, Optional<InetAddress> gateway, Optional<InetAddress> preferredSource, boolean local) {
    static final int NEW = 24;
    static final int GET = 26;

    private static final int HEADER = 12;
    private static final int HEADER_TYPE = 7;
    private static final int HEADER_FLAGS = 8;
    private static final int TYPE_LOCAL = 2;
    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_PREFSRC = 7;

    /** The address to find a neighbour for: the gateway, or the destination itself. */
    public InetAddress nextHop(InetAddress destination) {
        return gateway.orElse(destination);
    }

    static Octets query(InetAddress destination) {
        return query(destination, 0);
    }

    static Octets query(InetAddress destination, int flags) {
        AddressFamily family = AddressFamily.of(destination);
        return new OctetsWriter()
                .u8(family.number())
                .u8(family.bits())
                .zeros(HEADER_FLAGS - 2)
                .u32Host(flags)
                .octets(new AttributeWriter().address(RTA_DST, destination).toOctets())
                .toOctets();
    }

    static Route decode(NetlinkMessage message) {
        int type = message.payload().u8(HEADER_TYPE);
        AttributeReader attributes = AttributeReader.of(message.payload().from(HEADER));
        return new Route(
                attributes.require(RTA_OIF, "RTA_OIF").i32Host(0),
                RouteHop.gateway(attributes),
                attributes.find(RTA_PREFSRC).map(Octets::toAddress),
                type == TYPE_LOCAL);
    }
}
