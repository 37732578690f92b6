// SPDX-License-Identifier: Apache-2.0
/** The room for native calls of tests. */
@NullMarked
package io.l4lb.test.internal.jnr;

import org.jspecify.annotations.NullMarked;
