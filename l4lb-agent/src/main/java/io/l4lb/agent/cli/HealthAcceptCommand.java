// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.HealthAcceptRequest;
import io.l4lb.agent.status.HealthAcceptView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code l4lb health accept}. */
@Command(
        name = "accept",
        description =
                "Believe the probes of a service that is frozen, since too many of its reals failed at once: those"
                        + " that are down get no packets any more, and a VIP that has too few left is withdrawn.")
final class HealthAcceptCommand extends ClientCommand {
    @ArgGroup(multiplicity = "1")
    private @Nullable Selection selection;

    /** One or the other. */
    private static final class Selection {
        @Parameters(paramLabel = "SERVICE", description = "The service, at all its VIPs.")
        private @Nullable String name;

        @Option(names = "--all", description = "Every service, and the rule for all of them together.")
        private boolean all;
    }

    HealthAcceptCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        String name = selection == null || selection.name == null ? "" : selection.name;
        HealthAcceptRequest request =
                understood(() -> new HealthAcceptRequest(name, selection != null && selection.all));
        JsonNode answer = post("/v1/health/accept", request, LONG_DEADLINE);
        if (!printedAsJson(answer)) {
            HealthAcceptView view = read(answer, HealthAcceptView.class);
            out().println(Table.printable("no longer frozen: " + String.join(" ", view.accepted())));
        }
        return ExitCode.OK.code();
    }
}
