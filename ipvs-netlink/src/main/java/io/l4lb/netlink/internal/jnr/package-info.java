// SPDX-License-Identifier: Apache-2.0
/** The one room for system calls: the kernel's end of {@link io.l4lb.netlink.NetlinkTransport} through JNR-FFI. */
@NullMarked
package io.l4lb.netlink.internal.jnr;

import org.jspecify.annotations.NullMarked;
