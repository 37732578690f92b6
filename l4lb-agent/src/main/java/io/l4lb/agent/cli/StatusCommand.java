// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.agent.status.StatusView.DataplaneView;
import io.l4lb.agent.status.StatusView.NeighborView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;

/** {@code l4lb status}: the whole agent on one screen, what is wrong last, next to the prompt. */
@Command(name = "status", description = "Show the agent, its dataplane, BGP sessions, services and problems.")
final class StatusCommand extends ClientCommand {
    private static final int FEW_PREFIXES = 3;

    StatusCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = get("/v1/status");
        if (!printedAsJson(answer)) {
            StatusView status = read(answer, StatusView.class);
            printAgent(status);
            printSessions(status.bgp());
            printServices(status);
            printVerdicts(status.verdicts());
            printProblems(status.problems());
        }
        return ExitCode.OK.code();
    }

    private void printAgent(StatusView status) {
        Table.ofNames()
                .row("agent", status.state() + ", started " + since().text(status.since()))
                .row("version", status.version())
                .row("dataplane", dataplane(status.dataplane()))
                .row("bgp", status.bgp().process())
                .print(out());
    }

    private void printSessions(BgpView bgp) {
        if (bgp.neighbors().isEmpty()) {
            return;
        }
        Table table = Table.of("NEIGHBOR", ">AS", "STATE", "SINCE", "ANNOUNCED", "ERROR");
        for (NeighborView neighbor : bgp.neighbors()) {
            table.row(
                    neighbor.address(),
                    neighbor.peerAs(),
                    neighbor.state(),
                    since().text(neighbor.since()),
                    prefixes(neighbor.announced()),
                    neighbor.error());
        }
        out().println();
        table.print(out());
    }

    private void printServices(StatusView status) {
        if (!status.services().isEmpty()) {
            out().println();
            Tables.services(status.services()).print(out());
        }
    }

    private void printVerdicts(Map<String, Long> verdicts) {
        if (verdicts.isEmpty()) {
            return;
        }
        Table table = Table.of("VERDICT", ">PACKETS");
        new TreeMap<>(verdicts).forEach(table::row);
        out().println();
        table.print(out());
    }

    private void printProblems(List<String> problems) {
        out().println();
        out().println(problems.isEmpty() ? "no problems" : "PROBLEMS");
        problems.forEach(problem -> out().println(Table.printable(problem)));
    }

    private static String dataplane(DataplaneView dataplane) {
        return dataplane.type() + " on " + dataplane.interfaceName() + ", " + dataplane.mode() + " mode"
                + (dataplane.adopted() ? ", adopted" : "");
    }

    private static String prefixes(List<String> announced) {
        return announced.size() <= FEW_PREFIXES ? String.join(" ", announced) : announced.size() + " prefixes";
    }
}
