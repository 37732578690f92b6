// SPDX-License-Identifier: Apache-2.0
/** Netlink messages and attributes, one conversation at a time over a transport, and the errors of it all. */
@NullMarked
package io.l4lb.netlink;

import org.jspecify.annotations.NullMarked;
