// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.HealthView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code l4lb health history}. */
@Command(
        name = "history",
        description = {
            "Show the latest verdicts on reals, by each VIP, oldest first; those in a row that say the same are one line.",
            "",
            "An inconclusive verdict says nothing of the real: the probe failed on this director."
        })
final class HealthHistoryCommand extends ClientCommand {
    @Mixin
    private HealthOptions options = new HealthOptions();

    HealthHistoryCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/health", understood(options::request), LONG_DEADLINE);
        if (!printedAsJson(answer)) {
            Table table = Table.of("SERVICE", "VIP", "REAL", "FROM", "TO", ">TIMES", "VERDICT", "STATE", "REASON");
            for (JsonNode row : answer) {
                HealthView view = read(row, HealthView.class);
                view.history()
                        .forEach(entry -> table.row(
                                view.service(),
                                view.vip(),
                                view.real(),
                                entry.first(),
                                entry.last(),
                                entry.count(),
                                entry.outcome(),
                                entry.state(),
                                entry.reason()));
            }
            table.print(out());
        }
        return ExitCode.OK.code();
    }
}
