// SPDX-License-Identifier: Apache-2.0
/**
 * What a probe asks of a real, as pure data: one record for each type of check. They know no socket; {@code
 * io.l4lb.healthcheck.epoll} does what they say.
 */
@NullMarked
package io.l4lb.healthcheck.check;

import org.jspecify.annotations.NullMarked;
