// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One of the ways by which a route leaves: a multipath route has several (struct rtnexthop, include/uapi/linux/rtnetlink.h).
 *
 * @param gateway empty if the destination is on the link; may be of IPv6 for an IPv4 destination
 */
public record RouteHop(int interfaceIndex, Optional<InetAddress> gateway) {
    private static final int ROUTE_HEADER = 12;
    private static final int ROUTE_TYPE = 7;
    private static final int TYPE_UNICAST = 1;
    private static final int RTM_F_FIB_MATCH = 0x2000;
    private static final int RTA_OIF = 4;
    private static final int RTA_GATEWAY = 5;
    private static final int RTA_MULTIPATH = 9;
    private static final int RTA_VIA = 18;
    private static final int VIA_FAMILY = 2;
    private static final int HOP_HEADER = 8;
    private static final int HOP_FLAGS = 2;
    private static final int HOP_INTERFACE = 4;
    private static final int RTNH_F_DEAD = 1;

    /** The address to find a neighbour for: the gateway, or the destination itself. */
    public InetAddress nextHop(InetAddress destination) {
        return gateway.orElse(destination);
    }

    /** Asks for the route itself rather than for the one way that a packet would take. */
    static Octets query(InetAddress destination) {
        return Route.query(destination, RTM_F_FIB_MATCH);
    }

    /** The ways of a route, without those that are dead; none if it leads nowhere, or to this host. */
    static List<RouteHop> decode(NetlinkMessage message) {
        if (message.payload().u8(ROUTE_TYPE) != TYPE_UNICAST) {
            return List.of();
        }
        AttributeReader attributes = AttributeReader.of(message.payload().from(ROUTE_HEADER));
        Optional<Octets> multipath = attributes.find(RTA_MULTIPATH);
        if (multipath.isEmpty()) {
            return List.of(of(attributes.require(RTA_OIF, "RTA_OIF").i32Host(0), attributes));
        }
        List<RouteHop> hops = new ArrayList<>();
        Octets rest = multipath.get();
        while (rest.length() > 0) {
            Octets hop = rest.slice(0, rest.u16Host(0));
            if ((hop.u8(HOP_FLAGS) & RTNH_F_DEAD) == 0) {
                hops.add(of(hop.i32Host(HOP_INTERFACE), AttributeReader.of(hop.from(HOP_HEADER))));
            }
            rest = rest.from(Math.min(rest.length(), aligned(hop.length())));
        }
        return List.copyOf(hops);
    }

    /** The gateway among the attributes of a route, or of one of its ways. */
    static Optional<InetAddress> gateway(AttributeReader attributes) {
        return attributes
                .find(RTA_GATEWAY)
                .or(() -> attributes.find(RTA_VIA).map(via -> via.from(VIA_FAMILY)))
                .map(Octets::toAddress);
    }

    private static RouteHop of(int interfaceIndex, AttributeReader attributes) {
        return new RouteHop(interfaceIndex, gateway(attributes));
    }

    private static int aligned(int length) {
        return (length + 3) & ~3;
    }
}
