// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/** Which side of connection synchronisation (IP_VS_STATE_ of include/uapi/linux/ip_vs.h). */
public enum SyncRole {
    /** Tells its connections. */
    MASTER(1),
    /** Takes over what the master tells. */
    BACKUP(2);

    private final int number;

    SyncRole(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
