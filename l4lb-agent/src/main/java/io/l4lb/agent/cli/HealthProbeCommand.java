// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ProbeView;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code l4lb health probe}. */
@Command(
        name = "probe",
        description = {
            "Probe reals now, by each VIP, and show each step of it with its time in milliseconds.",
            "",
            "It is the probe that the health check does, and has no effect on what is known of the real. Exits with 1 if"
                    + " one of them did not succeed."
        })
final class HealthProbeCommand extends ClientCommand {
    @Mixin
    private HealthOptions options = new HealthOptions();

    HealthProbeCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/health/probe", understood(options::request), LONG_DEADLINE);
        boolean json = printedAsJson(answer);
        boolean good = true;
        for (JsonNode row : answer) {
            ProbeView view = read(row, ProbeView.class);
            good &= view.outcome().equals("success");
            if (!json) {
                print(view);
            }
        }
        return (good ? ExitCode.OK : ExitCode.REFUSED).code();
    }

    private void print(ProbeView view) {
        line(view.service() + " " + view.vip() + ", real " + view.real() + ", to " + view.destination());
        view.steps()
                .forEach(step ->
                        line(String.format(Locale.ROOT, "%12s  %s", "+" + millis(step.atMillis()), step.step())));
        line(String.format(
                Locale.ROOT, "%12s  %s: %s", "+" + millis(view.latencyMillis()), view.outcome(), view.reason()));
        if (!view.warning().isEmpty()) {
            line("              warning: " + view.warning());
        }
        if (!view.load().isEmpty()) {
            line("              load: " + view.load());
        }
    }

    private void line(String text) {
        out().println(Table.printable(text));
    }

    static String millis(double millis) {
        return String.format(Locale.ROOT, "%.3f", millis);
    }
}
