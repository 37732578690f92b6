// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;

/** What sysctl shows of an interface (struct netconfmsg, include/uapi/linux/netconf.h). */
final class Netconf {
    static final int NEW = 80;
    static final int GET = 82;

    private static final int HEADER = 4;
    private static final int NETCONFA_IFINDEX = 1;
    private static final int NETCONFA_FORWARDING = 2;

    private Netconf() {}

    static Octets query(AddressFamily family, int interfaceIndex) {
        return new OctetsWriter()
                .u8(family.number())
                .zeros(HEADER - 1)
                .octets(new AttributeWriter()
                        .u32Host(NETCONFA_IFINDEX, interfaceIndex)
                        .toOctets())
                .toOctets();
    }

    static boolean forwarding(NetlinkMessage message) {
        return AttributeReader.of(message.payload().from(HEADER))
                        .require(NETCONFA_FORWARDING, "NETCONFA_FORWARDING")
                        .i32Host(0)
                != 0;
    }
}
