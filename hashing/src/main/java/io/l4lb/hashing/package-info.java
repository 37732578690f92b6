// SPDX-License-Identifier: Apache-2.0
/** Lookup tables (M slots, each naming a real), flow keys, and the seeded hash that takes one to the other. */
@NullMarked
package io.l4lb.hashing;

import org.jspecify.annotations.NullMarked;
