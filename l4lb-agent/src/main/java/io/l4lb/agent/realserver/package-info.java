// SPDX-License-Identifier: Apache-2.0
/**
 * {@code l4lb real setup}: makes a server ready to be a real. What it takes is a list of pieces, planned without a look at
 * the kernel; each piece is a named thing with a value, so that doing, undoing and checking are the same for all.
 */
@NullMarked
package io.l4lb.agent.realserver;

import org.jspecify.annotations.NullMarked;
