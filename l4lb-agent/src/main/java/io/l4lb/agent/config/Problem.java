// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.nio.file.Path;

/**
 * One thing that is wrong in a file.
 *
 * @param line from 1; 0: the file as a whole
 * @param key path of the key, as {@code services[0].reals[2].weight}; empty: none
 */
public record Problem(Path file, int line, String key, String message) {
    /** {@code file:line: key: message}. */
    @Override
    public String toString() {
        return file + (line > 0 ? ":" + line : "") + ": " + (key.isEmpty() ? "" : key + ": ") + message;
    }
}
