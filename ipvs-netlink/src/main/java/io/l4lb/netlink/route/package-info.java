// SPDX-License-Identifier: Apache-2.0
/** Routing netlink, read side: routes, neighbours, links, addresses, and a monitor that tells when they change. */
@NullMarked
package io.l4lb.netlink.route;

import org.jspecify.annotations.NullMarked;
