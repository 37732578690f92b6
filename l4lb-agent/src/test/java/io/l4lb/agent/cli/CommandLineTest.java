// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.status.ReloadView;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options, exit codes, and the commands that do something. */
class CommandLineTest {
    private static final List<Problem> PROBLEMS = List.of(
            new Problem(Path.of("/etc/l4lb/l4lb.toml"), 12, "services[0].port", "70000 is above 65535"),
            new Problem(Path.of("/etc/l4lb/services.d/dns.toml"), 0, "", "cannot be read"));

    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path directory) {
        fixture = new CommandLineFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static void assertOutcome(int code, String out, String err, Outcome outcome) {
        assertEquals(err, outcome.err());
        assertEquals(out, outcome.out());
        assertEquals(code, outcome.code());
    }

    @Test
    void theSocketIsFoundWhereverItIsNamed() {
        String socket = fixture.socket.toString();
        Map<String, String> nothing = Map.of("L4LB_SOCKET", "/nonexistent/control.sock");
        String expected = fixture.run("service", "list").out();
        assertEquals(
                expected,
                fixture.runBare(nothing, "service", "list", "--socket", socket).out());
        assertEquals(
                expected,
                fixture.runBare(nothing, "--socket", socket, "service", "list").out());
        assertEquals(
                expected,
                fixture.runBare(nothing, "service", "--socket=" + socket, "list")
                        .out());
        assertEquals(
                expected,
                fixture.runBare(nothing, "--socket", "/nonexistent/a", "service", "list", "--socket", socket)
                        .out());
    }

    @Test
    void theFormatIsTakenWhereverItIsNamed() {
        String expected = fixture.run("service", "list", "-o", "json").out();
        assertTrue(expected.startsWith("["), expected);
        assertEquals(expected, fixture.run("-o", "json", "service", "list").out());
        assertEquals(expected, fixture.run("service", "-o", "json", "list").out());
        assertEquals(
                expected,
                fixture.run("-o", "table", "service", "list", "-o", "json").out());
    }

    @Test
    void aMissingAgentIsSaidInOneLine() {
        Outcome outcome = fixture.run("status", "--socket", "/nonexistent/control.sock");
        assertOutcome(
                3,
                "",
                "l4lb status: no agent listens on /nonexistent/control.sock; is it running? (l4lb agent)\n",
                outcome);
        assertEquals(
                "l4lb status: no agent listens on /run/l4lb/nowhere.sock; is it running? (l4lb agent)\n",
                fixture.runBare(Map.of("L4LB_SOCKET", "/run/l4lb/nowhere.sock"), "status")
                        .err());
    }

    @Test
    void anUnknownServiceIsRefused() {
        assertOutcome(
                1, "", "l4lb service show: no service is named \"a b/c\"\n", fixture.run("service", "show", "a b/c"));
        assertOutcome(
                1,
                "",
                "l4lb real list: no service is named \"nope\"\n",
                fixture.run("real", "list", "--service", "nope"));
    }

    @Test
    void aFailingAgentIsRefusal() {
        fixture.api.explains(CompletableFuture.failedFuture(new IllegalStateException("map lookup:\n EPERM")));
        assertOutcome(
                1,
                "",
                "l4lb explain: map lookup: EPERM\n",
                fixture.run("explain", "--src", "10.0.0.1:1", "--dst", "10.0.0.2:2"));
    }

    @Test
    void reloadOfGoodFiles() {
        assertOutcome(0, "changed: nothing\n", "", fixture.run("reload"));
        fixture.api.reloads(CompletableFuture.completedFuture(new ReloadView(true, List.of(), List.of("dns", "edge"))));
        assertOutcome(0, "changed: dns edge\n", "", fixture.run("reload"));
    }

    @Test
    void reloadOfBrokenFiles() throws JsonProcessingException {
        ReloadView partly = new ReloadView(true, List.of("a.toml:1: port: is missing"), List.of("edge"));
        fixture.api.reloads(CompletableFuture.completedFuture(partly));
        assertOutcome(1, "refused: a.toml:1: port: is missing\nchanged: edge\n", "", fixture.run("reload"));
        Outcome json = fixture.run("reload", "-o", "json");
        assertEquals(Samples.tree(partly), Json.parse(json.out()));
        assertEquals(1, json.code());
        fixture.api.reloads(CompletableFuture.completedFuture(
                new ReloadView(false, List.of("l4lb.toml:3: agnet: unknown key"), List.of())));
        assertOutcome(1, "refused: l4lb.toml:3: agnet: unknown key\nnothing was applied\n", "", fixture.run("reload"));
    }

    @Test
    void configCheck() throws JsonProcessingException {
        assertOutcome(0, "some.toml: ok, 0 services\n", "", fixture.run("config", "check", "some.toml"));
        assertOutcome(0, "/etc/l4lb/l4lb.toml: ok, 0 services\n", "", fixture.run("config", "check"));
        assertOutcome(0, "[]\n", "", fixture.run("config", "check", "-o", "json"));
        fixture.problems = PROBLEMS;
        assertOutcome(1, """
                /etc/l4lb/l4lb.toml:12: services[0].port: 70000 is above 65535
                /etc/l4lb/services.d/dns.toml: cannot be read
                """, "", fixture.run("config", "check"));
        assertEquals(
                Json.parse("""
                        [{"file": "/etc/l4lb/l4lb.toml", "line": 12, "key": "services[0].port", "message": "70000 is above 65535",
                          "severity": "error"},
                         {"file": "/etc/l4lb/services.d/dns.toml", "line": 0, "key": "", "message": "cannot be read",
                          "severity": "error"}]
                        """),
                Json.parse(fixture.run("config", "check", "-o", "json").out()));
    }

    @Test
    void theAgentIsRunWithItsFile() {
        assertOutcome(7, "", "", fixture.run("agent"));
        assertOutcome(7, "", "", fixture.run("agent", "--config", "a.toml"));
        assertEquals(List.of(Path.of("/etc/l4lb/l4lb.toml"), Path.of("a.toml")), fixture.agents);
    }

    @Test
    void theAgentDoesNotTakeASocket() {
        assertOutcome(
                2,
                "",
                "l4lb agent: the agent listens on the control-socket of its configuration, not on --socket"
                        + " (see l4lb agent --help)\n",
                fixture.run("--socket", "/x", "agent"));
        assertEquals(2, fixture.run("agent", "--socket", "/x").code());
        assertEquals(List.of(), fixture.agents);
    }

    @Test
    void anEmptySocketIsWrongUsage() {
        assertOutcome(
                2,
                "",
                "l4lb status: Invalid value for option '--socket': it names no file (see l4lb status --help)\n",
                fixture.run("status", "--socket", ""));
        assertEquals(2, fixture.run("status", "--socket=").code());
        assertEquals(2, fixture.run("--socket", "", "status").code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | l4lb: Missing required subcommand (see l4lb --help)",
                "service | l4lb service: Missing required subcommand (see l4lb service --help)",
                "statsu | l4lb: Unmatched argument at index 0: 'statsu' (see l4lb --help)",
                "status --wat | l4lb status: Unknown option: '--wat' (see l4lb status --help)",
                "status -o ipvsadm | l4lb status: Invalid value for option '--output':"
                        + " only service list has the format ipvsadm (see l4lb status --help)",
                "-o ipvsadm reload | l4lb reload: Invalid value for option '--output':"
                        + " only service list has the format ipvsadm (see l4lb reload --help)",
                "status -o yaml | l4lb status: Invalid value for option '--output':"
                        + " \"yaml\" is none of table, wide, json (see l4lb status --help)",
                "real list web --service web | l4lb real list: Error: NAME, --service=NAME are mutually exclusive"
                        + " (specify only one) (see l4lb real list --help)",
                "service show | l4lb service show: Missing required parameter: 'NAME' (see l4lb service show --help)",
                "explain --src 10.0.0.1:1 | l4lb explain: Missing required option: '--dst=ADDRESS[:PORT]'"
                        + " (see l4lb explain --help)",
                "explain --dst 10.0.0.1:1 | l4lb explain: Missing required option: '--src=ADDRESS[:PORT]'"
                        + " (see l4lb explain --help)",
                "explain --packet 00 --established | l4lb explain: --packet is a whole packet: nothing else says what it"
                        + " is (see l4lb explain --help)",
                "explain --packet 0g | l4lb explain: a frame is written as pairs of hexadecimal digits, with or without"
                        + " 0x, spaces and colons (see l4lb explain --help)",
                "explain --packet 123 | l4lb explain: a frame is written as pairs of hexadecimal digits, with or without"
                        + " 0x, spaces and colons (see l4lb explain --help)",
                "explain --src a:1 --dst 10.0.0.1:1 | l4lb explain: \"a:1\" is not an address and a port,"
                        + " as 192.0.2.1:80 or [2001:db8::1]:80 (see l4lb explain --help)",
                "explain --src 10.0.0.1 --dst 10.0.0.1:1 | l4lb explain: \"10.0.0.1\" has no port,"
                        + " as 192.0.2.1:80 or [2001:db8::1]:80 (see l4lb explain --help)",
                "explain --src 10.0.0.1 --dst 10.0.0.1 --protocol ipx | l4lb explain: protocol: \"ipx\" is none of tcp,"
                        + " udp, dccp, sctp, udplite, gre, esp, ah, and no number up to 255 (see l4lb explain --help)",
                "explain --src 10.0.0.1 --dst 10.0.0.1 --protocol icmp | l4lb explain: protocol: addresses alone do not"
                        + " tell where a packet of protocol icmp goes; give it whole (--packet)"
                        + " (see l4lb explain --help)",
                "explain --src 10.0.0.1 --dst 10.0.0.1 --protocol any | l4lb explain: protocol: a packet is of one"
                        + " protocol, not of any; name it: one of tcp, udp, dccp, sctp, udplite, gre, esp, ah, or its"
                        + " number (see l4lb explain --help)",
                "explain --src 10.0.0.1 --dst 10.0.0.1 --protocol gre --established | l4lb explain: --established is of"
                        + " TCP (see l4lb explain --help)",
                "flows --protocol icpm | l4lb flows: protocol: \"icpm\" is none of tcp, udp, dccp, sctp, udplite, gre,"
                        + " esp, ah, and no number up to 255 (see l4lb flows --help)",
            })
    void wrongUsage(String arguments, String error) {
        String[] words = arguments.isEmpty() ? new String[0] : arguments.split(" ");
        assertOutcome(2, "", error + "\n", fixture.run(words));
    }

    @Test
    void version() {
        assertOutcome(0, "l4lb 0.1.0\n", "", fixture.run("--version"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "agent",
                "status",
                "service",
                "service list",
                "service show",
                "real",
                "real list",
                "config",
                "config check",
                "config diff",
                "table",
                "table simulate",
                "reload",
                "explain"
            })
    void helpEndsWithTheExitCodes(String command) {
        Outcome outcome = fixture.run((command + " --help").trim().split(" "));
        assertEquals(0, outcome.code());
        assertTrue(outcome.out().startsWith(("Usage: l4lb " + command).trim()), outcome.out());
        assertTrue(outcome.out().endsWith("""

                                Exit codes:
                                  0     done
                                  1     refused by the agent, or a problem was found
                                  2     the command line is wrong
                                  3     no agent could be reached
                                  141   nobody reads the output any more
                                """), outcome.out());
        assertFalse(outcome.out().contains("\u001b"), outcome.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "--help", "service list -o json", "config check"})
    void whatCannotBeWrittenIsNoSuccess(String arguments) {
        fixture.outBreaks = true;
        Outcome outcome = fixture.run(arguments.split(" ", -1));
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().endsWith(": the output could not be written: Broken pipe\n"), outcome.err());
    }

    @Test
    void whatCannotBeWrittenIsSaidOfAFailureToo() {
        fixture.outBreaks = true;
        fixture.problems = PROBLEMS;
        assertOutcome(
                1,
                "",
                "l4lb config check: the output could not be written: Broken pipe\n",
                fixture.run("config", "check"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "--help", "service list -o json", "config check"})
    void aReaderWhoHasGoneIsNoError(String arguments) {
        fixture.outBreaks = true;
        fixture.pipe = true;
        assertOutcome(141, "", "", fixture.run(arguments.split(" ", -1)));
    }

    @Test
    void whatAnAgentHasLeftIsRemoved() {
        fixture.remains = List.of("the balancer on eth0", "16 maps");
        assertOutcome(0, "removed the balancer on eth0\nremoved 16 maps\n", "", fixture.run("agent", "--release"));
        assertOutcome(
                0,
                "would remove the balancer on eth0\nwould remove 16 maps\n",
                "",
                fixture.run("agent", "--release", "--dry-run", "--config", "a.toml"));
        fixture.remains = List.of();
        assertOutcome(0, "there is nothing to remove\n", "", fixture.run("agent", "--release"));
        fixture.doubtful = List.of("2 services: whose are they?");
        assertOutcome(0, "left 2 services: whose are they?\n", "", fixture.run("agent", "--release"));
        assertOutcome(
                0, "would leave 2 services: whose are they?\n", "", fixture.run("agent", "--release", "--dry-run"));
        assertOutcome(
                2,
                "",
                "l4lb agent: --dry-run is of --release (see l4lb agent --help)\n",
                fixture.run("agent", "--dry-run"));
    }

    @Test
    void warningsAreNoProblems() throws JsonProcessingException {
        fixture.warnings = List.of(new Problem(Path.of("a.toml"), 7, "services[0].hash-key", "is not used"));
        assertOutcome(
                0,
                "warning: a.toml:7: services[0].hash-key: is not used\na.toml: ok, 0 services\n",
                "",
                fixture.run("config", "check", "a.toml"));
        assertEquals(
                Json.parse("""
                        [{"file": "a.toml", "line": 7, "key": "services[0].hash-key", "message": "is not used",
                          "severity": "warning"}]
                        """),
                Json.parse(fixture.run("config", "check", "-o", "json").out()));
    }
}
