// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Config;
import java.util.List;
import java.util.Optional;

/**
 * What reading the files gave.
 *
 * @param config what can be used: new, or for broken files what was last good; empty when the main file is broken and
 *     there is nothing to fall back on
 * @param problems all of them, in the order of files and lines; empty: every file was taken
 * @param warnings what is allowed, but hardly meant, likewise
 * @param lines where the keys of the main file stand
 */
public record LoadResult(Optional<Config> config, List<Problem> problems, List<Problem> warnings, KeyLines lines) {
    public LoadResult {
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
    }

    /** Without warnings, of files whose lines are of no interest. */
    public LoadResult(Optional<Config> config, List<Problem> problems) {
        this(config, problems, List.of(), KeyLines.UNKNOWN);
    }
}
