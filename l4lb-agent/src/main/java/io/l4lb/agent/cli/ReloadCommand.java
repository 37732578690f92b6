// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ReloadView;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code l4lb reload}. */
@Command(
        name = "reload",
        description = "Have the agent read its configuration again. A file with a problem is refused as a whole;"
                + " what it defines stays as it was.")
final class ReloadCommand extends ClientCommand {
    ReloadCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/reload", Map.of(), LONG_DEADLINE);
        ReloadView reload = read(answer, ReloadView.class);
        if (!printedAsJson(answer)) {
            reload.problems().forEach(problem -> out().println(Table.printable("refused: " + problem)));
            out().println(Table.printable(outcome(reload)));
        }
        return (reload.applied() && reload.problems().isEmpty() ? ExitCode.OK : ExitCode.REFUSED).code();
    }

    private static String outcome(ReloadView reload) {
        if (!reload.applied()) {
            return "nothing was applied";
        }
        return "changed: " + (reload.changed().isEmpty() ? "nothing" : String.join(" ", reload.changed()));
    }
}
