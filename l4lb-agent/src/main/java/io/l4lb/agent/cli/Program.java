// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.config.LoadResult;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What the command line is given by the program around it.
 *
 * @param agent runs the agent with a configuration file until it is told to stop; returns the exit code
 * @param load reads a configuration file and those it leads to
 * @param environment of the process
 */
public record Program(
        String version,
        ToIntFunction<Path> agent,
        Function<Path, LoadResult> load,
        Map<String, String> environment,
        Clock clock,
        Foreground foreground) {
    public Program {
        environment = Map.copyOf(environment);
    }
}
