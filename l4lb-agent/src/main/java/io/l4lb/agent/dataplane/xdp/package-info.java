// SPDX-License-Identifier: Apache-2.0
/** Programs our own XDP balancer: maps, numbers of reals, next hops, links and pins. */
@NullMarked
package io.l4lb.agent.dataplane.xdp;

import org.jspecify.annotations.NullMarked;
