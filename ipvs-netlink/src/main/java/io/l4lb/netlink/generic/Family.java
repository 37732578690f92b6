// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import io.l4lb.netlink.Attribute;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Octets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A generic netlink family (CTRL_ATTR_ of include/uapi/linux/genetlink.h).
 *
 * @param id the message type that reaches it; given when the module loads, so it may differ after that
 * @param multicastGroups group number by name
 */
public record Family(int id, String name, int version, Map<String, Integer> multicastGroups) {
    /** The family that knows the others. */
    static final Family CONTROL = new Family(0x10, "nlctrl", 2, Map.of());

    static final int GET = 3;

    private static final int CTRL_ATTR_FAMILY_ID = 1;
    private static final int CTRL_ATTR_FAMILY_NAME = 2;
    private static final int CTRL_ATTR_VERSION = 3;
    private static final int CTRL_ATTR_MCAST_GROUPS = 7;
    private static final int CTRL_ATTR_MCAST_GRP_NAME = 1;
    private static final int CTRL_ATTR_MCAST_GRP_ID = 2;

    public Family {
        multicastGroups = Map.copyOf(multicastGroups);
    }

    static Octets query(String name) {
        return new AttributeWriter().text(CTRL_ATTR_FAMILY_NAME, name).toOctets();
    }

    static Family decode(AttributeReader attributes) {
        Map<String, Integer> groups = new LinkedHashMap<>();
        attributes.find(CTRL_ATTR_MCAST_GROUPS).map(AttributeReader::of).ifPresent(list -> {
            for (Attribute entry : list.all()) {
                AttributeReader group = entry.nested();
                groups.put(
                        group.require(CTRL_ATTR_MCAST_GRP_NAME, "CTRL_ATTR_MCAST_GRP_NAME")
                                .toText(),
                        group.require(CTRL_ATTR_MCAST_GRP_ID, "CTRL_ATTR_MCAST_GRP_ID")
                                .i32Host(0));
            }
        });
        return new Family(
                attributes.require(CTRL_ATTR_FAMILY_ID, "CTRL_ATTR_FAMILY_ID").u16Host(0),
                attributes
                        .require(CTRL_ATTR_FAMILY_NAME, "CTRL_ATTR_FAMILY_NAME")
                        .toText(),
                attributes.require(CTRL_ATTR_VERSION, "CTRL_ATTR_VERSION").i32Host(0),
                groups);
    }
}
