// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.RealView;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code l4lb real list}. */
@Command(name = "list", description = "List the reals of all services, or of one.")
final class RealListCommand extends ClientCommand {
    @Option(names = "--service", paramLabel = "NAME", description = "Only the reals of this service.")
    private @Nullable String service;

    RealListCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode reals = service == null
                ? get("/v1/reals")
                : get("/v1/services/" + segment(service)).path("reals");
        if (!printedAsJson(reals)) {
            Tables.reals(List.of(read(reals, RealView[].class)), since()).print(out());
        }
        return ExitCode.OK.code();
    }
}
