// SPDX-License-Identifier: Apache-2.0
/** A published stand-in for the kernel, for tests of whatever speaks netlink; production code never uses it. */
@NullMarked
package io.l4lb.netlink.fake;

import org.jspecify.annotations.NullMarked;
