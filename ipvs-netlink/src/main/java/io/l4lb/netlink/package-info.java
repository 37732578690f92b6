// SPDX-License-Identifier: Apache-2.0
/** Netlink messages and attributes, and the socket that carries them. */
@NullMarked
package io.l4lb.netlink;

import org.jspecify.annotations.NullMarked;
