// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** Where an XDP program runs. */
public enum XdpMode {
    /** Native if the driver can, else generic. */
    AUTO,
    /** In the driver, before the kernel makes a packet of the frame. */
    NATIVE,
    /** After it: works on every interface, and is slow. */
    GENERIC
}
