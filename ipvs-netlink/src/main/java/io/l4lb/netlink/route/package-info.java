// SPDX-License-Identifier: Apache-2.0
/** Routing netlink: routes, neighbours, links, addresses, a monitor of their changes, and addresses made local. */
@NullMarked
package io.l4lb.netlink.route;

import org.jspecify.annotations.NullMarked;
