// SPDX-License-Identifier: Apache-2.0
/** From announced VIPs to routes. */
@NullMarked
package io.l4lb.agent.announce;

import org.jspecify.annotations.NullMarked;
