// SPDX-License-Identifier: Apache-2.0
/** Files that a user names: read whole, up to a bound, and words for what is wrong with them. */
@NullMarked
package io.l4lb.agent.file;

import org.jspecify.annotations.NullMarked;
