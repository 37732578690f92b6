// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.Json;
import io.l4lb.agent.realserver.RealServer;
import io.l4lb.agent.realserver.RealServerException;
import io.l4lb.agent.realserver.Step;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands that run on a real have in common: they need no agent, but root. */
abstract class RealServerCommand implements Callable<Integer> {
    private final Function<Path, RealServer> servers;
    private final List<StepRow> rows = new ArrayList<>();

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--state",
            paramLabel = "FILE",
            defaultValue = "/var/lib/l4lb/real.json",
            description = "Where it is kept what was set up, and how it was before. Default: ${DEFAULT-VALUE}.")
    private Path state = Path.of("");

    /** A {@link Step} as JSON. */
    record StepRow(String outcome, String kind, String name, String before, String after, String detail) {}

    /** @param servers by its state file */
    RealServerCommand(Function<Path, RealServer> servers) {
        this.servers = servers;
    }

    /** The exit code; what it throws is printed. */
    abstract ExitCode run(RealServer server);

    @Override
    public final Integer call() {
        try {
            return run(servers.apply(state)).code();
        } catch (RealServerException e) {
            PrintWriter err = command().commandLine().getErr();
            String name = command().qualifiedName();
            e.problems().forEach(problem -> err.println(Table.printable(name + ": " + problem)));
            err.flush();
            return ExitCode.REFUSED.code();
        }
    }

    final CommandSpec command() {
        return Objects.requireNonNull(spec);
    }

    final PrintWriter out() {
        return command().commandLine().getOut();
    }

    final OutputOption.Format format() {
        return OutputOption.format(command());
    }

    final boolean json() {
        return format() == OutputOption.Format.JSON;
    }

    /** At once, so that what was done is known however it ends. What was right already is of interest to few. */
    final void tell(Step step) {
        rows.add(new StepRow(
                word(step.outcome()),
                word(step.item().kind()),
                step.item().name(),
                step.before(),
                step.after(),
                step.detail()));
        boolean right = step.outcome() == Step.Outcome.UNCHANGED;
        if (!json() && (!right || format() == OutputOption.Format.WIDE)) {
            out().println(Table.printable((right ? "= " : "") + step));
            out().flush();
        }
    }

    final List<StepRow> rows() {
        return List.copyOf(rows);
    }

    final long count(Step.Outcome outcome) {
        return rows.stream().filter(row -> row.outcome().equals(word(outcome))).count();
    }

    final void printJson(Object value) {
        out().println(Json.pretty(value));
        out().flush();
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
