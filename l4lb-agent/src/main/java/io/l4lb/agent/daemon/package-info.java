// SPDX-License-Identifier: Apache-2.0
/** The running agent: its wiring, its reconcile thread, what it answers, and how it ends. */
@NullMarked
package io.l4lb.agent.daemon;

import org.jspecify.annotations.NullMarked;
