// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;

/**
 * A service by the mark that packets carry (IPVS_SVC_ATTR_FWMARK, host byte order); one mark may name a service in each
 * family.
 *
 * @param mark unsigned 32 bits, not 0
 */
public record FirewallMark(int mark, AddressFamily family) implements ServiceIdentity {
    public FirewallMark {
        if (mark == 0) {
            throw new IllegalArgumentException("firewall mark 0 means no mark");
        }
    }

    /** Such as {@code "mark 5"} or {@code "mark 5 of IPv6"}. */
    @Override
    public String toString() {
        return "mark " + Integer.toUnsignedString(mark) + (family == AddressFamily.INET ? "" : " of IPv6");
    }
}
