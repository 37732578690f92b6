// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.realserver.RealServer;
import io.l4lb.agent.realserver.RealServerException;
import io.l4lb.agent.realserver.Step;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code l4lb real teardown}. */
@Command(
        name = "teardown",
        description =
                "On a real: undo what setup changed, or began to change, except what somebody has changed since. Drain the"
                        + " real first.")
final class RealTeardownCommand extends RealServerCommand {
    @Option(names = "--dry-run", description = "Change nothing; print what would be changed.")
    private boolean dryRun;

    /** As JSON. */
    private record Report(boolean dryRun, boolean wasSetUp, List<StepRow> steps, List<String> notes) {}

    RealTeardownCommand(Function<Path, RealServer> servers) {
        super(servers);
    }

    @Override
    ExitCode run(RealServer server) {
        boolean wasSetUp;
        try {
            wasSetUp = server.teardown(dryRun, this::tell);
        } catch (RealServerException e) {
            if (json()) {
                printJson(new Report(dryRun, true, rows(), e.problems()));
            }
            throw e;
        }
        if (json()) {
            printJson(new Report(dryRun, wasSetUp, rows(), List.of()));
        } else if (wasSetUp) {
            out().println((dryRun ? "dry run: would undo " : "undone ") + count(Step.Outcome.RESTORED)
                    + ", left as others made it " + count(Step.Outcome.LEFT));
        } else {
            out().println("nothing was set up here");
        }
        out().flush();
        return ExitCode.OK;
    }
}
