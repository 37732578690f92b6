// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernel sees the mark: a routing rule of a namespace of its own turns away exactly the packets that carry it. */
@Tag("kernel")
final class MarkKernelTest {
    private static final String REFUSED_MARK = "80000007";

    private final String namespace = "l4lb-health-" + ProcessHandle.current().pid();

    private record Outcome(int exit, String output) {}

    @BeforeEach
    void makeNamespace() throws Exception {
        try {
            if (run("ip", "netns", "add", namespace).exit() != 0) {
                skip("no network namespace can be made: ip netns add failed");
            }
        } catch (IOException e) {
            skip("no network namespace can be made: " + e.getMessage());
        }
        ip("link", "set", "lo", "up");
    }

    @AfterEach
    void deleteNamespace() throws Exception {
        run("ip", "netns", "del", namespace);
    }

    @ParameterizedTest
    @CsvSource({"-4,127.0.0.1", "-6,::1"})
    void onlyProbesWithTheMarkMeetItsRule(String family, String address) throws Exception {
        // The rule of local addresses is the first of all; ours has to come before it.
        ip(family, "rule", "add", "pref", "100", "lookup", "local");
        ip(family, "rule", "del", "pref", "0", "lookup", "local");
        ip(family, "rule", "add", "pref", "10", "fwmark", "0x" + REFUSED_MARK, "unreachable");
        Outcome probes = runJava(List.of(), address, "0", REFUSED_MARK, "80000008");
        assertEquals(
                List.of("0 connected", REFUSED_MARK + " no route to host", "80000008 connected"),
                probes.output().lines().toList());
    }

    @Test
    void withoutThePrivilegeTheVerdictSaysSo() throws Exception {
        List<String> unprivileged =
                List.of("setpriv", "--bounding-set=-net_admin,-net_raw", "--inh-caps=-net_admin,-net_raw");
        Outcome probes = runJava(unprivileged, "127.0.0.1", "0", "7");
        assertEquals(
                List.of(
                        "0 connected",
                        "7 the probe's socket may not be marked: operation not permitted (CAP_NET_ADMIN is missing)"),
                probes.output().lines().toList());
    }

    private void ip(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip", "-n", namespace));
        command.addAll(Arrays.asList(arguments));
        Outcome outcome = run(command.toArray(String[]::new));
        assertEquals(0, outcome.exit(), command + ": " + outcome.output());
    }

    private Outcome runJava(List<String> prefix, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        command.addAll(prefix);
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MarkedProbes.class.getName()));
        command.addAll(Arrays.asList(arguments));
        return run(command.toArray(String[]::new));
    }

    private static Outcome run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still running: " + String.join(" ", command));
            return new Outcome(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void skip(String reason) {
        if (List.of(System.getProperty("l4lb.require", "").split(",")).contains("netns")) {
            fail(reason);
        }
        Assumptions.abort(reason);
    }
}
