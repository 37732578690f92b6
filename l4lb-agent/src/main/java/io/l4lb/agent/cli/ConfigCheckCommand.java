// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code l4lb config check}: needs no agent. */
@Command(
        name = "check",
        description =
                "Check a configuration, and the files that it leads to, without an agent. What is allowed, but hardly"
                        + " meant, is a warning, which is no problem to the agent.")
final class ConfigCheckCommand implements Callable<Integer> {
    private final Program program;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            defaultValue = "/etc/l4lb/l4lb.toml",
            description = "The configuration. Default: ${DEFAULT-VALUE}.")
    private Path file = Path.of("");

    /** A {@link Problem} as JSON; the severity is {@code error} or {@code warning}. */
    private record Row(String file, int line, String key, String message, String severity) {}

    ConfigCheckCommand(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter out = command.commandLine().getOut();
        LoadResult result = program.load().apply(file);
        if (OutputOption.format(command) == OutputOption.Format.JSON) {
            out.println(Json.pretty(Stream.concat(rows(result.problems(), "error"), rows(result.warnings(), "warning"))
                    .toList()));
            return code(result);
        }
        result.warnings().forEach(warning -> out.println(Table.printable("warning: " + warning)));
        if (result.problems().isEmpty()) {
            int services =
                    result.config().map(config -> config.services().size()).orElse(0);
            out.println(file + ": ok, " + services + (services == 1 ? " service" : " services"));
        } else {
            result.problems().forEach(problem -> out.println(Table.printable(problem.toString())));
        }
        return code(result);
    }

    private static int code(LoadResult result) {
        return (result.problems().isEmpty() ? ExitCode.OK : ExitCode.REFUSED).code();
    }

    private static Stream<Row> rows(List<Problem> problems, String severity) {
        return problems.stream().map(p -> new Row(p.file().toString(), p.line(), p.key(), p.message(), severity));
    }
}
