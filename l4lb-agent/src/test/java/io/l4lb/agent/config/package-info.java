// SPDX-License-Identifier: Apache-2.0
/** Tests of the reading of TOML files. */
@NullMarked
package io.l4lb.agent.config;

import org.jspecify.annotations.NullMarked;
