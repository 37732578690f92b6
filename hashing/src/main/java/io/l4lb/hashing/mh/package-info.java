// SPDX-License-Identifier: Apache-2.0
/**
 * What the kernel's scheduler {@code mh} (net/netfilter/ipvs/ip_vs_mh.c) will do: its table, its choice, and the weights to
 * give it.
 */
@NullMarked
package io.l4lb.hashing.mh;

import org.jspecify.annotations.NullMarked;
