// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/** The netlink families (include/uapi/linux/netlink.h) that are spoken here. */
public enum NetlinkProtocol {
    ROUTE(0),
    GENERIC(16);

    private final int number;

    NetlinkProtocol(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
