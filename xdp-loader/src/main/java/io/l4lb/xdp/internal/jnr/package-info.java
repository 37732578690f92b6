// SPDX-License-Identifier: Apache-2.0
/**
 * The room for native calls: the only one that knows JNR. Every method reads errno where the call is made,
 * and turns a failure into a {@link io.l4lb.xdp.BpfException}; pointers leave it as opaque longs.
 */
@NullMarked
package io.l4lb.xdp.internal.jnr;

import org.jspecify.annotations.NullMarked;
