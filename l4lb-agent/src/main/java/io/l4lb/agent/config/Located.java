// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

/**
 * A value and where it stands.
 *
 * @param key path of the key
 */
record Located<T>(T value, int line, String key) {}
