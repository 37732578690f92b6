// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.HealthView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code l4lb health show}. */
@Command(
        name = "show",
        description = {
            "Show what is known of the health of reals, by each VIP.",
            "",
            "A STATE that is stale was left by an earlier agent, and no probe of this one has confirmed it yet. RUN: verdicts"
                    + " alike in a row, successes as +N, failures as -N. LATENCY in milliseconds. LOAD: what the real says"
                    + " itself, and how long ago."
        })
final class HealthShowCommand extends ClientCommand {
    @Mixin
    private HealthOptions options = new HealthOptions();

    HealthShowCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/health", understood(options::request), LONG_DEADLINE);
        if (!printedAsJson(answer)) {
            Table table =
                    Table.of("SERVICE", "VIP", "REAL", "STATE", "SINCE", "LAST", ">LATENCY", ">RUN", "LOAD", "REASON");
            for (JsonNode row : answer) {
                add(table, read(row, HealthView.class));
            }
            table.print(out());
        }
        return ExitCode.OK.code();
    }

    private void add(Table table, HealthView view) {
        table.row(
                view.service(),
                view.vip(),
                view.real(),
                state(view),
                since().text(view.since()),
                since().age(view.last()),
                view.last().isEmpty() ? "" : HealthProbeCommand.millis(view.latencyMillis()),
                view.run() == 0 ? "" : (view.run() > 0 ? "+" : "") + view.run(),
                load(view),
                view.reason() + (view.warning().isEmpty() ? "" : "; " + view.warning()));
    }

    private String load(HealthView view) {
        String text = view.load().text().isEmpty()
                ? ""
                : view.load().text() + " (" + since().age(view.load().at()) + ")";
        String problem = view.load().problem();
        return text.isEmpty() || problem.isEmpty() ? text + problem : text + "; " + problem;
    }

    private static String state(HealthView view) {
        return view.state()
                + (view.stale() ? ", stale" : "")
                + (view.heldUntil().isEmpty() ? "" : ", held until " + view.heldUntil())
                + (view.flaps() == 0 ? "" : ", " + view.flaps() + (view.flaps() == 1 ? " flap" : " flaps"));
    }
}
