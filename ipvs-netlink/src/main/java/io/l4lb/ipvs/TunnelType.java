// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** What goes around the packets of a tunnel (IPVS_DEST_ATTR_TUN_TYPE); all but IPIP from Linux 5.3. */
public enum TunnelType {
    IPIP(0),
    /** Generic UDP encapsulation, to a port. */
    GUE(1),
    /** From Linux 5.4. */
    GRE(2);

    private final int number;

    TunnelType(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
