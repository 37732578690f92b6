// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.ProtocolWord;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.FlowView;
import io.l4lb.agent.status.FlowsEndView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code l4lb flows}. */
@Command(
        name = "flows",
        description = {
            "Show what the flow table remembers: which client's flow goes to which real.",
            "",
            "STATE: opening (TCP, the client's SYN), established, closing (the client's FIN or RST), other (not TCP)."
                    + " IDLE: seconds since the last packet. An entry is EXPIRED if packets no longer follow it: its time"
                    + " is over, or its real was removed; it stays until its place is needed. A port is \"any\" where the"
                    + " service does not look at ports, as with the hash key 3-tuple."
                    + " Entries whose service or real is gone are not listed, only counted in the last line."
        })
final class FlowsCommand extends ClientCommand {
    /** Titles are printed anew after so many rows, so that these need not all be kept. */
    private static final int BLOCK = 1000;

    @Mixin
    private TrafficOptions traffic = new TrafficOptions();

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            description = "Only of this protocol: " + ProtocolWord.NAMES + ", or a number.")
    private String protocol = "";

    @Option(names = "--port", paramLabel = "PORT", description = "Only to this port of the VIP.")
    private int port = FlowsRequest.NO_PORT;

    @Option(names = "--real", paramLabel = "ADDRESS", description = "Only those that go to this real.")
    private String real = "";

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description = "Only those in this state: opening, established, closing, other.")
    private String state = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Show at most so many; 0: all. Default: ${DEFAULT-VALUE}.")
    private long limit;

    @Option(names = "--count", description = "Only show how many there are, by service and real.")
    private boolean count;

    private final List<FlowView> block = new ArrayList<>();
    private boolean first = true;
    private FlowsEndView.@Nullable End end;

    FlowsCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() throws IOException {
        FlowsRequest request =
                understood(() -> new FlowsRequest(traffic.selection(), protocol, port, real, state, count ? 0 : limit));
        if (count) {
            printCounts(post("/v1/flows/count", request, LONG_DEADLINE));
            return ExitCode.OK.code();
        }
        boolean json = OutputOption.format(spec()) == OutputOption.Format.JSON;
        rows("/v1/flows", request, new CompletableFuture<>(), row -> {
            if (row.has("end")) {
                end = read(row, FlowsEndView.class).end();
            } else if (json) {
                printElement(row);
            } else {
                add(read(row, FlowView.class));
            }
            return !out().checkError();
        });
        finish(json);
        return ExitCode.OK.code();
    }

    private void printElement(JsonNode row) {
        out().print(first ? "[\n  " : ",\n  ");
        out().print(Json.pretty(row).replace("\n", "\n  "));
        first = false;
    }

    private void add(FlowView flow) {
        block.add(flow);
        if (block.size() == BLOCK) {
            printBlock();
        }
    }

    private void printBlock() {
        if (block.isEmpty()) {
            return;
        }
        Table table = Table.of("CLIENT", "SERVICE", "VIP", "PROTOCOL", ">PORT", "REAL", "STATE", ">IDLE", "EXPIRED");
        for (FlowView flow : block) {
            table.row(
                    client(flow),
                    flow.service(),
                    flow.vip(),
                    flow.protocol(),
                    port(flow.port()),
                    flow.real(),
                    flow.state(),
                    flow.idleSeconds() < 0 ? "" : flow.idleSeconds(),
                    flow.expired() ? "yes" : "no");
        }
        table.print(out());
        block.clear();
    }

    private static String client(FlowView flow) {
        String address = flow.client().indexOf(':') < 0 ? flow.client() : "[" + flow.client() + "]";
        return address + ":" + port(flow.clientPort());
    }

    private static String port(int number) {
        return number == 0 ? "any" : Integer.toString(number);
    }

    private void finish(boolean json) {
        FlowsEndView.End last = end;
        if (json) {
            out().println(first ? "[]" : "\n]");
        } else {
            boolean any = !block.isEmpty() || (last != null && last.shown() > 0);
            printBlock();
            if (any) {
                out().println();
            }
        }
        if (last == null) {
            return; // nobody reads
        }
        if (!json) {
            out().println("matching: " + last.matching() + "; "
                    + inTheTable(last.entries(), last.gone(), last.capacity()));
        }
        if (last.shown() < last.matching()) {
            tell(last.shown() + " of " + last.matching() + " are shown; --limit 0 shows all");
        }
    }

    private void printCounts(JsonNode answer) {
        if (printedAsJson(answer)) {
            return;
        }
        FlowCountsView counts = read(answer, FlowCountsView.class);
        if (!counts.flows().isEmpty()) {
            Table table = Table.of("SERVICE", "REAL", ">FLOWS", ">EXPIRED");
            counts.flows().forEach(row -> table.row(row.service(), row.real(), row.flows(), row.expired()));
            table.print(out());
            out().println();
        }
        out().println(inTheTable(counts.entries(), counts.gone(), counts.capacity()));
    }

    private static String inTheTable(long entries, long gone, long capacity) {
        return "in the flow table: " + entries + (capacity == 0 ? "" : " of " + capacity)
                + (gone == 0 ? "" : ", " + gone + " of services or reals that are gone");
    }
}
