// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.RealView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code l4lb real list}. */
@Command(name = "list", description = "List the reals of all services, or of one.")
final class RealListCommand extends ClientCommand {
    @ArgGroup
    private @Nullable Selection selection;

    /** One or the other. */
    private static final class Selection {
        @Parameters(paramLabel = "NAME", description = "Only the reals of this service.")
        private @Nullable String name;

        @Option(names = "--service", paramLabel = "NAME", description = "The same.")
        private @Nullable String option;
    }

    RealListCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        String service = service();
        JsonNode reals = service == null
                ? get("/v1/reals")
                : get("/v1/services/" + segment(service)).path("reals");
        if (!printedAsJson(reals)) {
            Tables.reals(List.of(read(reals, RealView[].class)), since()).print(out());
        }
        return ExitCode.OK.code();
    }

    private @Nullable String service() {
        if (selection == null) {
            return null;
        }
        return selection.name != null ? selection.name : selection.option;
    }
}
