// SPDX-License-Identifier: Apache-2.0
/** What the operator wants, as validated values: the configuration after parsing. */
@NullMarked
package io.l4lb.agent.model;

import org.jspecify.annotations.NullMarked;
