// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.ExplainRequest;
import io.l4lb.agent.status.ExplainView;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code l4lb explain}. */
@Command(name = "explain", description = "Say which real a packet goes to, by which slot, and why.")
final class ExplainCommand extends ClientCommand {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    @Option(
            names = "--src",
            required = true,
            paramLabel = "ADDRESS:PORT",
            description = "The client: 10.1.0.2:1234, [2001:db8::2]:1234.")
    private String source = "";

    @Option(names = "--dst", required = true, paramLabel = "ADDRESS:PORT", description = "The VIP and its port.")
    private String destination = "";

    @Option(
            names = "--protocol",
            defaultValue = "tcp",
            paramLabel = "tcp|udp",
            description = "Default: ${DEFAULT-VALUE}.")
    private String protocol = "";

    @Option(
            names = "--established",
            description = "A packet of a TCP connection that exists, not its SYN: the flow table is asked first.")
    private boolean established;

    ExplainCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/explain", request(), DEADLINE);
        if (!printedAsJson(answer)) {
            ExplainView view = read(answer, ExplainView.class);
            Table.ofNames()
                    .row("verdict", view.verdict())
                    .row("service", view.service())
                    .row("real", view.real())
                    .row("slot", view.slot() < 0 ? "" : Integer.toString(view.slot()))
                    .row("hash", view.hash())
                    .row("reason", view.reason())
                    .print(out());
        }
        return ExitCode.OK.code();
    }

    private ExplainRequest request() {
        try {
            return new ExplainRequest(source, destination, protocol, protocol.equals("tcp") && !established);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
