// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ServiceView;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code l4lb service list}. */
@Command(name = "list", description = "List the services.")
final class ServiceListCommand extends ClientCommand {
    ServiceListCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = get("/v1/services");
        if (!printedAsJson(answer)) {
            Tables.services(List.of(read(answer, ServiceView[].class))).print(out());
        }
        return ExitCode.OK.code();
    }
}
