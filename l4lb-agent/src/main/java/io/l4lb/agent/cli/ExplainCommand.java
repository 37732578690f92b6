// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.ExplainFrameRequest;
import io.l4lb.agent.control.ExplainRequest;
import io.l4lb.agent.control.ProtocolWord;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.IfDownView;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code l4lb explain}. */
@Command(
        name = "explain",
        description = "Say which real a packet goes to, by which slot, why, and what would change without that real.")
final class ExplainCommand extends ClientCommand {
    private static final String ENDPOINT = "ADDRESS[:PORT]";
    /** Its name and its number. */
    private static final List<String> TCP = List.of("tcp", "6");

    private static final Duration DEADLINE = Duration.ofSeconds(5);

    @Option(
            names = "--src",
            paramLabel = ENDPOINT,
            description = "The client: 10.1.0.2:1234, [2001:db8::2]:1234; of a protocol without ports, its address.")
    private @Nullable String source;

    @Option(
            names = "--dst",
            paramLabel = ENDPOINT,
            description = "The VIP and its port; of a protocol without ports, the VIP.")
    private @Nullable String destination;

    @Option(
            names = "--protocol",
            paramLabel = "NAME",
            description = "Of the packet: " + ProtocolWord.NAMES + ", or a number. Default: tcp.")
    private @Nullable String protocol;

    @Option(
            names = "--established",
            description = "A packet of a TCP connection that exists, not its SYN: the flow table is asked first.")
    private boolean established;

    @Option(
            names = "--packet",
            paramLabel = "HEX",
            description =
                    "Instead of all that, any frame from its Ethernet header on, as hexadecimal digits; 0x, spaces"
                            + " and colons do not matter.")
    private @Nullable String packet;

    ExplainCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer;
        try {
            answer = packet == null
                    ? post("/v1/explain", request(), DEADLINE)
                    : post("/v1/explain/frame", frameRequest(packet), DEADLINE);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        if (!printedAsJson(answer)) {
            ExplainView view = read(answer, ExplainView.class);
            Table table = Table.ofNames()
                    .row("verdict", view.verdict())
                    .row("service", view.service())
                    .row("real", view.real())
                    .row("slot", view.slot() < 0 ? "" : Integer.toString(view.slot()))
                    .row("key", view.key().isEmpty() ? "" : view.hashKey() + ", " + view.key())
                    .row("hash", view.hash())
                    .row("next hop", view.nextHop())
                    .row("reason", view.reason())
                    .row("counted as", view.countedAs());
            IfDownView ifDown = view.ifDown();
            if (ifDown != null) {
                table.row("if " + view.real() + " went down", then(ifDown, view.real()));
            }
            table.print(out());
        }
        return ExitCode.OK.code();
    }

    private static String then(IfDownView ifDown, String real) {
        return (ifDown.real().isEmpty() ? "it would go nowhere" : "it would go to " + ifDown.real()) + "; "
                + ifDown.moved() + " of " + ifDown.tableSize() + " slots would move, " + ifDown.others()
                + " of them not " + real + "'s own";
    }

    private ExplainRequest request() {
        if (source == null || destination == null) {
            throw wrong("Missing required option: '" + (source == null ? "--src" : "--dst") + "=" + ENDPOINT + "'");
        }
        String carried = protocol == null ? TCP.get(0) : protocol;
        boolean tcp = TCP.contains(carried);
        if (established && !tcp) {
            throw wrong("--established is of TCP");
        }
        return new ExplainRequest(source, destination, carried, tcp && !established);
    }

    private ExplainFrameRequest frameRequest(String hex) {
        if (source != null || destination != null || protocol != null || established) {
            throw wrong("--packet is a whole packet: nothing else says what it is");
        }
        return new ExplainFrameRequest(hex);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec().commandLine(), message);
    }
}
