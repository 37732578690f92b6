// SPDX-License-Identifier: Apache-2.0
/** From the configuration to probes, and from probes to the state of each real. */
@NullMarked
package io.l4lb.agent.health;

import org.jspecify.annotations.NullMarked;
