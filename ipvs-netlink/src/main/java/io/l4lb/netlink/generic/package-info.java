// SPDX-License-Identifier: Apache-2.0
/** Generic netlink: families by name, and commands to them. */
@NullMarked
package io.l4lb.netlink.generic;

import org.jspecify.annotations.NullMarked;
