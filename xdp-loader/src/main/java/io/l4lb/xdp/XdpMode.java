// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.util.Locale;

/** Where an XDP program runs. */
public enum XdpMode {
    /** Native if the driver can, else generic. */
    AUTO(0),
    /** In the driver, before the kernel makes a packet of the frame. */
    NATIVE(1 << 2),
    /** After it: works on every interface, and is slow. */
    GENERIC(1 << 1);

    private final int flag;

    XdpMode(int flag) {
        this.flag = flag;
    }

    /** In lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** XDP_FLAGS_*_MODE of linux/if_link.h. */
    int flag() {
        return flag;
    }
}
