// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.RealView.CheckView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.ServiceView.HealthCheckView;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code l4lb service show}. */
@Command(name = "show", description = "Show one service: its settings, its reals, and probes that disagree.")
final class ServiceShowCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the service.")
    private String name = "";

    ServiceShowCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = get("/v1/services/" + segment(name));
        if (!printedAsJson(answer)) {
            ServiceView service = read(answer, ServiceView.class);
            printSettings(service);
            out().println();
            Tables.reals(service, since()).print(out());
            printDisagreements(service.reals());
        }
        return ExitCode.OK.code();
    }

    private void printSettings(ServiceView service) {
        Table settings = Table.ofNames()
                .row("name", service.name())
                .row("vips", String.join(" ", service.vips()))
                .row("protocol", service.protocol())
                .row("port", Frontend.portText(service.port()))
                .row("scheduler", service.scheduler())
                .row("hash-key", service.hashKey());
        if (!service.quic().isEmpty()) {
            settings.row("quic", quic(service.quic()));
        }
        settings.row("table-size", service.tableSize())
                .row("forwarding", service.forwarding())
                .row("quorum", service.quorum().text())
                .row("health-check", check(service.healthCheck(), service.port()))
                .row("healthy", Tables.healthy(service))
                .row("announced", Tables.announced(service))
                .row("table-digest", service.tableDigest())
                .row("problem", service.problem())
                .print(out());
    }

    private static String quic(Map<String, Integer> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + " " + setting.getValue())
                .collect(Collectors.joining(", "));
    }

    /** A real that is reached by one VIP and not by another has half a tunnel; say which half. */
    private void printDisagreements(List<RealView> reals) {
        Table table = Table.of("REAL", "VIP", "HEALTH", "REASON");
        boolean any = false;
        for (RealView real : reals) {
            if (disagree(real.checks())) {
                any = true;
                real.checks().forEach(c -> table.row(real.address(), c.vip(), c.health(), c.reason()));
            }
        }
        if (any) {
            out().println();
            out().println("Probes that disagree:");
            table.print(out());
        }
    }

    private static boolean disagree(List<CheckView> checks) {
        return checks.stream()
                        .map(check -> check.health().equals("up") ? "up" : check.health() + " " + check.reason())
                        .distinct()
                        .count()
                > 1;
    }

    /** With its port where that is another than the service's. */
    private static String check(HealthCheckView check, int port) {
        String asks = check.check().entrySet().stream()
                .filter(key -> !key.getKey().equals("type"))
                .sorted(Map.Entry.comparingByKey())
                .map(key -> ", " + key.getKey() + " " + key.getValue())
                .collect(Collectors.joining());
        return check.check().getOrDefault("type", "") + asks
                + (check.via().equals("tunnel") ? "" : ", " + check.via())
                + (check.port() == port || check.port() == 0 ? "" : ", to port " + check.port())
                + (check.packetSize() == 0 ? "" : ", packets of " + check.packetSize() + " octets")
                + ", every " + check.interval()
                + (check.downInterval().equals(check.interval())
                        ? ""
                        : ", every " + check.downInterval() + " when down")
                + ", timeout " + check.timeout()
                + ", rise " + check.rise() + ", fall " + check.fall();
    }
}
