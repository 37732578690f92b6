// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.config.KeyLines;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.ControlServer;
import io.l4lb.agent.control.FakeControlApi;
import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.XdpSection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import picocli.CommandLine;

/** The command line in this process, with an agent of paper at the other end of a real socket. */
final class CommandLineFixture implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-03-02T03:04:05.5Z");

    final FakeControlApi api = new FakeControlApi();
    final Path socket;
    final Map<String, String> environment = new HashMap<>();
    final List<Path> agents = new ArrayList<>();
    List<Problem> problems = List.of();
    OutputStream bytes = new ByteArrayOutputStream();
    boolean outBreaks;
    boolean pipe;
    List<Problem> warnings = List.of();
    CompletableFuture<Void> interrupt = new CompletableFuture<>();

    /** What an agent has left behind. */
    List<String> remains = List.of();

    /** What may be an agent's. */
    List<String> doubtful = List.of();

    private final AgentProcess agent = new AgentProcess() {
        @Override
        public int run(Path configuration) {
            agents.add(configuration);
            return 7;
        }

        @Override
        public int release(Path configuration, boolean dryRun, Consumer<String> told, Consumer<String> left) {
            agents.add(configuration);
            remains.forEach(told);
            doubtful.forEach(left);
            return 0;
        }
    };

    private final ControlServer server;

    /** What a command left behind. */
    record Outcome(int code, String out, String err) {}

    CommandLineFixture(Path directory) {
        socket = directory.resolve("control.sock");
        server = ControlServer.start(socket, api);
    }

    /** Runs a command that finds the socket by its environment. */
    Outcome run(String... arguments) {
        Map<String, String> given = new HashMap<>(environment);
        given.putIfAbsent("L4LB_SOCKET", socket.toString());
        return runBare(given, arguments);
    }

    Outcome runBare(Map<String, String> given, String... arguments) {
        StandardOutput process = new StandardOutput(outBreaks ? brokenPipe() : bytes, () -> pipe);
        Program program = new Program(
                "0.1.0",
                agent,
                file -> new LoadResult(Optional.of(config()), problems, warnings, KeyLines.UNKNOWN),
                given,
                Clock.fixed(NOW, ZoneOffset.UTC),
                new Foreground(process, () -> interrupt));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = L4lbCommand.commandLine(program);
        line.setOut(outBreaks ? new PrintWriter(process, false, StandardCharsets.UTF_8) : new PrintWriter(out))
                .setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        return new Outcome(code, out.toString(), err.toString());
    }

    private static OutputStream brokenPipe() {
        return new OutputStream() {
            @Override
            public void write(int octet) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
    }

    @Override
    public void close() {
        server.close();
    }

    private static Config config() {
        Path path = Path.of("/x");
        return new Config(
                new AgentSection(AgentSection.Dataplane.XDP, path, path, path, Optional.empty(), Optional.empty()),
                new XdpSection("eth0", XdpSection.Mode.AUTO, XdpSection.NextHop.GATEWAY, path, 1500, 1),
                Optional.empty(),
                List.of(),
                Map.of(),
                true);
    }
}
