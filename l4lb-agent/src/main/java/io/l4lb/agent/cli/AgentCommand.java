// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.io.PrintWriter;
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
@Command(
        name = "agent",
        description = {
            "Run the agent in the foreground, until SIGTERM. It then withdraws its routes; what it has put into the kernel"
                    + " stays and goes on forwarding.",
            "",
            "With --release, and no agent running, remove that too: the programs from the interfaces, the pinned maps with"
                    + " all flows, the marks of neighbours, and an ExaBGP that a killed agent has left with its routes. A"
                    + " program that was chained is put back. Of dataplane \"ipvs\": the agent's services in IPVS with"
                    + " their connections, the local routes of VIPs, the program that marks packets; kernel settings are"
                    + " put back. Prints what it removes, and what it leaves though it may be an agent's."
        })
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

    @Option(names = "--release", description = "End forwarding: remove what an agent has left in the kernel.")
    private boolean release;

    @Option(names = "--dry-run", description = "With --release: remove nothing; print what would be removed.")
    private boolean dryRun;

    private int things;

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
        if (dryRun && !release) {
            throw new ParameterException(command.commandLine(), "--dry-run is of --release");
        }
        return release
                ? release(command.commandLine().getOut())
                : program.agent().run(config);
    }

    private int release(PrintWriter out) {
        int code = program.agent()
                .release(
                        config,
                        dryRun,
                        thing -> print(out, (dryRun ? "would remove " : "removed ") + thing),
                        thing -> print(out, (dryRun ? "would leave " : "left ") + thing));
        if (code == ExitCode.OK.code() && things == 0) {
            out.println("there is nothing to remove");
        }
        return code;
    }

    private void print(PrintWriter out, String line) {
        things++;
        out.println(Table.printable(line));
        out.flush();
    }
}
