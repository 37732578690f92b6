// SPDX-License-Identifier: Apache-2.0
/** What a lookup table does to traffic when its reals change: slots moved, and how evenly they are spread. */
@NullMarked
package io.l4lb.hashing.simulation;

import org.jspecify.annotations.NullMarked;
