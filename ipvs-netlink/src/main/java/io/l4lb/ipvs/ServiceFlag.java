// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Flags of a service (IP_VS_SVC_F_ of include/uapi/linux/ip_vs.h, host byte order). What the three scheduler flags mean is
 * up to the scheduler. PERSISTENT is no flag here since persistence implies it, and HASHED is the kernel's own.
 */
public enum ServiceFlag {
    /** Every UDP packet is scheduled by itself. */
    ONE_PACKET(0x4),
    SCHEDULER_1(0x8),
    SCHEDULER_2(0x10),
    SCHEDULER_3(0x20);

    /** Source hashing: take another destination while the hashed one is down. */
    public static final ServiceFlag SH_FALLBACK = SCHEDULER_1;
    /** Source hashing: the client's port counts, too. */
    public static final ServiceFlag SH_PORT = SCHEDULER_2;
    /** Maglev: take another destination while the hashed one is down. */
    public static final ServiceFlag MH_FALLBACK = SCHEDULER_1;
    /** Maglev: the client's port counts, too. */
    public static final ServiceFlag MH_PORT = SCHEDULER_2;

    static final int PERSISTENT = 0x1;
    static final int HASHED = 0x2;

    private final int bit;

    ServiceFlag(int bit) {
        this.bit = bit;
    }

    static int bits(Set<ServiceFlag> flags) {
        int bits = 0;
        for (ServiceFlag flag : flags) {
            bits |= flag.bit;
        }
        return bits;
    }

    /** Those that have a name here. */
    static Set<ServiceFlag> of(int bits) {
        Set<ServiceFlag> flags = EnumSet.noneOf(ServiceFlag.class);
        for (ServiceFlag flag : values()) {
            if ((bits & flag.bit) != 0) {
                flags.add(flag);
            }
        }
        return Collections.unmodifiableSet(flags);
    }

    /** All bits that have a name here. */
    static int known() {
        return bits(EnumSet.allOf(ServiceFlag.class)) | PERSISTENT;
    }
}
