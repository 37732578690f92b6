// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.nio.file.Path;
import java.util.function.Consumer;

/** What {@code l4lb agent} does, by the program around the command line. Both say on standard error what is wrong. */
public interface AgentProcess {
    /** Runs the agent with a configuration file until it is told to stop; returns the exit code. */
    int run(Path configuration);

    /**
     * Removes what an agent has left behind that is not running any more.
     *
     * @param dryRun only tell what there is
     * @param told each thing, in words
     * @param left each thing that may be an agent's but cannot be told to be one, which stays
     * @return the exit code
     */
    int release(Path configuration, boolean dryRun, Consumer<String> told, Consumer<String> left);
}
