// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.realserver.Check;
import io.l4lb.agent.realserver.RealServer;
import io.l4lb.agent.realserver.RealServer.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** {@code l4lb real status}. */
@Command(
        name = "status",
        description = "On a real: hold it against what was set up. Exits with 1 if anything is missing or differs.")
final class RealStatusCommand extends RealServerCommand {
    /** A {@link Check} as JSON. */
    private record Row(String verdict, String kind, String name, String wanted, String is) {}

    /** A {@link Status} as JSON. */
    private record Report(
            boolean whole,
            String interfaceName,
            String method,
            List<Row> pieces,
            List<String> problems,
            Map<String, Long> counters) {}

    RealStatusCommand(Function<Path, RealServer> servers) {
        super(servers);
    }

    @Override
    ExitCode run(RealServer server) {
        Optional<Status> status = server.status();
        boolean whole = status.map(Status::isWhole).orElse(false);
        if (json()) {
            printJson(status.map(RealStatusCommand::report)
                    .orElse(new Report(false, "", "", List.of(), List.of("nothing was set up here"), Map.of())));
        } else {
            status.ifPresentOrElse(this::print, () -> out().println("nothing was set up here"));
        }
        out().flush();
        return whole ? ExitCode.OK : ExitCode.REFUSED;
    }

    private static Report report(Status status) {
        return new Report(
                status.isWhole(),
                status.setup().interfaceName(),
                status.setup().method().text(),
                status.checks().stream()
                        .map(check -> new Row(
                                word(check.verdict()),
                                word(check.item().kind()),
                                check.item().name(),
                                check.wanted(),
                                check.is()))
                        .toList(),
                status.problems(),
                status.counters());
    }

    private void print(Status status) {
        Table table = Table.of("STATE", "PIECE", "WANTED", "IS");
        for (Check check : status.checks()) {
            table.row(word(check.verdict()), check.item(), check.wanted(), check.is());
        }
        table.print(out());
        status.problems().forEach(problem -> out().println(Table.printable("problem: " + problem)));
        if (!status.counters().isEmpty()) {
            Map<String, Long> counters = status.counters();
            out().println("tunnel packets: "
                    + String.join(
                            ", ",
                            counters.entrySet().stream()
                                    .map(each -> each.getKey() + " " + each.getValue())
                                    .toList()));
        }
    }
}
