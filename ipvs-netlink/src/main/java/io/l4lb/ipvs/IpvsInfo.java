// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AttributeReader;

/**
 * What IPVS says of itself (IPVS_INFO_ATTR_ of include/uapi/linux/ip_vs.h).
 *
 * @param version such as {@code "1.2.1"}
 * @param connectionTableSize buckets of the connection table
 */
public record IpvsInfo(String version, int connectionTableSize) {
    private static final int IPVS_INFO_ATTR_VERSION = 1;
    private static final int IPVS_INFO_ATTR_CONN_TAB_SIZE = 2;

    static IpvsInfo decode(AttributeReader attributes) {
        int version = attributes
                .require(IPVS_INFO_ATTR_VERSION, "IPVS_INFO_ATTR_VERSION")
                .i32Host(0);
        return new IpvsInfo(
                ((version >> 16) & 0xff) + "." + ((version >> 8) & 0xff) + "." + (version & 0xff),
                attributes
                        .require(IPVS_INFO_ATTR_CONN_TAB_SIZE, "IPVS_INFO_ATTR_CONN_TAB_SIZE")
                        .i32Host(0));
    }
}
