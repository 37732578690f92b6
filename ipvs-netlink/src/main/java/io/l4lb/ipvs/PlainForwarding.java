// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** The methods without parameters (IP_VS_CONN_F_FWD_MASK of include/uapi/linux/ip_vs.h). */
public enum PlainForwarding implements ForwardingMethod {
    /** Destination address and port are rewritten, and replies have to come back this way. */
    MASQUERADE(0),
    /** To a process of this host. The kernel uses it by itself for a destination with an address of this host. */
    LOCAL(1),
    /** The packet goes unchanged to the destination's link-layer address. */
    DIRECT_ROUTE(3),
    /** Past a cache that does not answer; only ever reported by the kernel. */
    BYPASS(4);

    private final int number;

    PlainForwarding(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
