// SPDX-License-Identifier: Apache-2.0
/** What reals say of their load in the answers to probes: parsed strictly, never guessed. */
@NullMarked
package io.l4lb.healthcheck.load;

import org.jspecify.annotations.NullMarked;
