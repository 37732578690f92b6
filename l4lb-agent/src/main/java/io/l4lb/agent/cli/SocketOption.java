// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code --socket}, which may stand after the command or before it; the one nearest to its end counts. */
final class SocketOption {
    static final String NAME = "--socket";
    static final String VARIABLE = "L4LB_SOCKET";
    private static final Path DEFAULT = Path.of("/run/l4lb/control.sock");

    private SocketOption() {}

    static void addTo(CommandSpec command) {
        command.addOption(OptionSpec.builder(NAME)
                .type(Path.class)
                .paramLabel("PATH")
                .converters(SocketOption::parse)
                .description("The agent's control socket. Default: $" + VARIABLE + ", or " + DEFAULT + ".")
                .build());
    }

    private static Path parse(String text) {
        if (text.isEmpty()) {
            throw new TypeConversionException("it names no file");
        }
        return Path.of(text);
    }

    /** The socket that a command has to use. */
    static Path path(CommandSpec command, Map<String, String> environment) {
        Path given = given(command);
        if (given != null) {
            return given;
        }
        String variable = environment.getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : Path.of(variable);
    }

    /** What the command line says, if it does. */
    static @Nullable Path given(CommandSpec command) {
        for (CommandSpec spec = command; spec != null; spec = spec.parent()) {
            OptionSpec option = spec.findOption(NAME);
            Path value = option == null ? null : option.getValue();
            if (value != null) {
                return value;
            }
        }
        return null;
    }
}
