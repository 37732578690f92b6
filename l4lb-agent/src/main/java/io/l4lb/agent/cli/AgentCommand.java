// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code l4lb agent}. */
@Command(name = "agent", description = "Run the agent in the foreground, until SIGTERM.")
final class AgentCommand implements Callable<Integer> {
    private final Program program;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "/etc/l4lb/l4lb.toml",
            description = "The configuration. Default: ${DEFAULT-VALUE}.")
    private Path config = Path.of("");

    AgentCommand(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        if (SocketOption.given(command) != null) {
            throw new ParameterException(
                    command.commandLine(),
                    "the agent listens on the control-socket of its configuration, not on " + SocketOption.NAME);
        }
        return program.agent().applyAsInt(config);
    }
}
