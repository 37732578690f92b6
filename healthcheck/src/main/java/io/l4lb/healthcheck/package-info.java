// SPDX-License-Identifier: Apache-2.0
/** Probes of reals through the path that traffic takes, and the dampening of their verdicts. */
@NullMarked
package io.l4lb.healthcheck;

import org.jspecify.annotations.NullMarked;
