// SPDX-License-Identifier: Apache-2.0
/** What the agent reports about itself: immutable rows, whose JSON names are the configuration's keys where they mean the same. */
@NullMarked
package io.l4lb.agent.status;

import org.jspecify.annotations.NullMarked;
