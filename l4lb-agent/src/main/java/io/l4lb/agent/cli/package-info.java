// SPDX-License-Identifier: Apache-2.0
/** The commands of the l4lb program. */
@NullMarked
package io.l4lb.agent.cli;

import org.jspecify.annotations.NullMarked;
