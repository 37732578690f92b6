// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import io.l4lb.test.Await;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a process of its own has: a standard output that fails, and signals. */
class ProcessTest {
    private static final int HEADER = 24;
    private static final int RECORD = 16 + 3;

    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();

    private Process start(ProcessBuilder.Redirect out, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        // As script/l4lb does.
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        if (Runtime.version().feature() >= 24) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.l4lb.agent.Main"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectOutput(out).start();
        started.add(process);
        return process;
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private static void assertEnds(int code, String err, Process process) throws Exception {
        try (InputStream messages = process.getErrorStream()) {
            // The tests' libraries look for a logger, which the built program does not have.
            String text = new String(messages.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(err, text.replaceAll("(?m)^SLF4J.*\\R", ""));
        }
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(code, process.exitValue());
    }

    @Test
    void aFullDeviceIsAnError() throws Exception {
        Process process = start(ProcessBuilder.Redirect.to(new File("/dev/full")), "--help");
        assertEnds(1, "l4lb: the output could not be written: No space left on device\n", process);
    }

    @Test
    void aReaderWhoHasGoneIsNone() throws Exception {
        Process process = start(ProcessBuilder.Redirect.PIPE, "--help");
        process.getInputStream().close(); // long before a JVM has begun to write
        assertEnds(141, "", process);
    }

    @Test
    void sigtermLeavesAWholeFileAndASummary() throws Exception {
        try (CommandLineFixture fixture = new CommandLineFixture(directory)) {
            fixture.api.sends(sink -> {
                sink.put(new CaptureEndView(new CaptureEndView.End(0, 0, false)));
                sink.put(new CapturedView(
                        0, "01", "after", "pass-not-ip", "", "eth0", 3, CapturedView.text(new byte[] {1, 2, 3})));
                sink.flush();
            });
            Path file = directory.resolve("a.pcap");
            Process process = start(
                    ProcessBuilder.Redirect.DISCARD,
                    "capture",
                    "-w",
                    file.toString(),
                    "--socket",
                    fixture.socket.toString());
            Await.await("a packet is in the file", () -> size(file) == HEADER + RECORD || !process.isAlive());
            process.toHandle().destroy(); // SIGTERM; the other destroy() closes the streams too
            assertEnds(0, "l4lb capture: 1 packet, 1 frame, 0 lost\n", process);
            assertEquals(HEADER + RECORD, size(file));
        }
    }

    /** It is held in the midst of its start by a pipe that nobody reads from. */
    @Test
    void sighupDoesNotEndAnAgentThatStarts() throws Exception {
        int mistakes = 20_000;
        StringBuilder text = new StringBuilder("[agent]\n");
        for (int i = 0; i < mistakes; i++) {
            text.append("key").append(i).append(" = 1\n");
        }
        Path file = Files.writeString(directory.resolve("l4lb.toml"), text);
        Process process = start(ProcessBuilder.Redirect.DISCARD, "agent", "--config", file.toString());
        try (BufferedReader messages = process.errorReader(StandardCharsets.UTF_8)) {
            String line = messages.readLine();
            while (line != null && !line.contains("unknown key")) {
                line = messages.readLine();
            }
            Process kill = new ProcessBuilder("kill", "-HUP", Long.toString(process.pid())).start();
            started.add(kill);
            assertTrue(kill.waitFor(20, TimeUnit.SECONDS));
            assertEquals(
                    mistakes - 1,
                    messages.lines()
                            .filter(each -> each.contains("unknown key"))
                            .count());
        }
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertEquals(1, process.exitValue());
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
