// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** The outer checksum of GUE and GRE (IPVS_DEST_ATTR_TUN_FLAGS). */
public enum TunnelChecksum {
    NONE(0),
    CHECKSUM(1),
    /** Remote checksum offload, of GUE only. */
    REMOTE(2);

    private final int bits;

    TunnelChecksum(int bits) {
        this.bits = bits;
    }

    int bits() {
        return bits;
    }
}
