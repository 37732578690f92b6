// SPDX-License-Identifier: Apache-2.0
/** The l4lb program: wiring of the daemon and entry point of the command line. */
@NullMarked
package io.l4lb.agent;

import org.jspecify.annotations.NullMarked;
