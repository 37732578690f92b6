// SPDX-License-Identifier: Apache-2.0
/**
 * Health of reals as pure data: what a probe is, what its verdict says, how verdicts are dampened, and when each target is
 * probed next. Nothing here knows a socket, a thread or a clock; {@code io.l4lb.healthcheck.epoll} brings those.
 */
@NullMarked
package io.l4lb.healthcheck;

import org.jspecify.annotations.NullMarked;
