// SPDX-License-Identifier: Apache-2.0
/**
 * The whole of IPVS over generic netlink (include/uapi/linux/ip_vs.h, net/netfilter/ipvs/ip_vs_ctl.c): services,
 * destinations, counters, timeouts and sync daemons. Identity and settings are apart from what is only reported.
 */
@NullMarked
package io.l4lb.ipvs;

import org.jspecify.annotations.NullMarked;
