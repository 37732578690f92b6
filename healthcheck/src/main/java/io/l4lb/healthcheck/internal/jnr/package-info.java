// SPDX-License-Identifier: Apache-2.0
/** The one room for system calls: raw ICMP sockets, which Netty has not, through JNR-FFI. */
@NullMarked
package io.l4lb.healthcheck.internal.jnr;

import org.jspecify.annotations.NullMarked;
