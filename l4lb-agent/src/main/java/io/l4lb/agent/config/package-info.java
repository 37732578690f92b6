// SPDX-License-Identifier: Apache-2.0
/** Reads TOML files into the model, strictly; every problem names file, line and key path. */
@NullMarked
package io.l4lb.agent.config;

import org.jspecify.annotations.NullMarked;
