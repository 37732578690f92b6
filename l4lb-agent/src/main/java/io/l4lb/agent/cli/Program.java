// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.config.LoadResult;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.function.Function;

/**
 * What the command line is given by the program around it.
 *
 * @param load reads a configuration file and those it leads to
 * @param environment of the process
 */
public record Program(
        String version,
        AgentProcess agent,
        Function<Path, LoadResult> load,
        Map<String, String> environment,
        Clock clock,
        Foreground foreground) {
    public Program {
        environment = Map.copyOf(environment);
    }
}
