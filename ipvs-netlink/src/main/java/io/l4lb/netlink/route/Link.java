// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.util.Optional;

/**
 * A network interface (struct ifinfomsg, include/uapi/linux/if_link.h).
 *
 * @param mac empty where the link is not of Ethernet's kind
 * @param mtu in octets
 * @param up administratively
 * @param carrier the link itself works (IFF_LOWER_UP)
 */
public record Link(int index, String name, Optional<MacAddress> mac, int mtu, boolean up, boolean carrier) {
    static final int NEW = 16;
    static final int GET = 18;

    private static final int HEADER = 16;
    private static final int HEADER_INDEX = 4;
    private static final int HEADER_FLAGS = 8;
    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MTU = 4;
    private static final int IFLA_LINK = 5;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_INFO_KIND = 1;
    private static final int IFLA_EXT_MASK = 29;
    private static final int EXT_MASK_SKIP_STATISTICS = 0x8;
    private static final int IFF_UP = 0x1;
    private static final int IFF_LOWER_UP = 0x1_0000;

    static Octets queryAll() {
        return header(0).octets(skipStatistics().toOctets()).toOctets();
    }

    static Octets query(int index) {
        return header(index).octets(skipStatistics().toOctets()).toOctets();
    }

    static Octets query(String name) {
        return header(0)
                .octets(skipStatistics().text(IFLA_IFNAME, name).toOctets())
                .toOctets();
    }

    static Link decode(NetlinkMessage message) {
        Octets payload = message.payload();
        int index = payload.i32Host(HEADER_INDEX);
        int flags = payload.i32Host(HEADER_FLAGS);
        AttributeReader attributes = AttributeReader.of(payload.from(HEADER));
        return new Link(
                index,
                attributes.require(IFLA_IFNAME, "IFLA_IFNAME").toText(),
                attributes.find(IFLA_ADDRESS).flatMap(MacAddress::of),
                attributes.require(IFLA_MTU, "IFLA_MTU").i32Host(0),
                (flags & IFF_UP) != 0,
                (flags & IFF_LOWER_UP) != 0);
    }

    /** The interface whose tagged frames a VLAN interface has; empty for links of other kinds. */
    static Optional<Integer> decodeVlanParent(NetlinkMessage message) {
        AttributeReader attributes = AttributeReader.of(message.payload().from(HEADER));
        boolean vlan = attributes
                .find(IFLA_LINKINFO)
                .flatMap(info -> AttributeReader.of(info).find(IFLA_INFO_KIND))
                .filter(kind -> kind.toText().equals("vlan"))
                .isPresent();
        return vlan ? attributes.find(IFLA_LINK).map(parent -> parent.i32Host(0)) : Optional.empty();
    }

    private static OctetsWriter header(int index) {
        return new OctetsWriter().zeros(HEADER_INDEX).u32Host(index).zeros(HEADER - HEADER_FLAGS);
    }

    private static AttributeWriter skipStatistics() {
        return new AttributeWriter().u32Host(IFLA_EXT_MASK, EXT_MASK_SKIP_STATISTICS);
    }
}
