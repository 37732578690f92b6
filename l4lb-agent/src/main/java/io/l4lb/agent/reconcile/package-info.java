// SPDX-License-Identifier: Apache-2.0
/** Compares what is wanted with what the kernel has, and closes the gap, one service at a time. */
@NullMarked
package io.l4lb.agent.reconcile;

import org.jspecify.annotations.NullMarked;
