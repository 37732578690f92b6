// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.realserver.FakeHost;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The commands of a real, on a server of paper. */
class RealServerCommandsTest {
    private final FakeHost host = new FakeHost();

    @TempDir
    Path directory;

    private Outcome run(RealServerCommand command, String arguments) {
        CommandLine line = new CommandLine(command);
        OutputOption.addTo(line.getCommandSpec());
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String all = "--state " + directory.resolve("real.json") + " " + arguments;
        int code = line.execute(Stream.of(all.strip().split(" ", -1)).toArray(String[]::new));
        return new Outcome(code, out.toString(), err.toString());
    }

    private Outcome setup(String arguments) {
        return run(new RealSetupCommand(host::server), arguments);
    }

    private Outcome teardown(String arguments) {
        return run(new RealTeardownCommand(host::server), arguments);
    }

    private Outcome status(String arguments) {
        return run(new RealStatusCommand(host::server), arguments);
    }

    private static JsonNode json(Outcome outcome) {
        try {
            return Json.parse(outcome.out());
        } catch (JsonProcessingException e) {
            throw new AssertionError(outcome.out(), e);
        }
    }

    @Test
    void setupPrintsWhatItChanges() {
        Outcome outcome = setup("--vip 192.0.2.10,2001:db8::10 --interface eth0");
        assertEquals("", outcome.err());
        assertEquals(0, outcome.code());
        assertTrue(outcome.out().startsWith("""
                net.ipv4.conf.eth0.arp_ignore: 0 -> 1
                net.ipv4.conf.eth0.arp_announce: 0 -> 2
                address 192.0.2.10/32 on lo: absent -> present
                address 2001:db8::10/128 on lo: absent -> present
                """), outcome.out());
        assertTrue(
                outcome.out().endsWith("changed 11, right already 3; tunnels on eth0 opened by our program\n"),
                outcome.out());
        Outcome again = setup("--vip 192.0.2.10 --vip 2001:db8::10 -o wide");
        assertTrue(again.out().contains("= address 192.0.2.10/32 on lo: present\n"), again.out());
        assertTrue(again.out().contains("changed 0, right already 14; "), again.out());
    }

    @Test
    void setupAsJson() {
        JsonNode report = json(setup("--vip 192.0.2.10 --dry-run -o json"));
        assertTrue(report.path("dry-run").asBoolean());
        assertEquals("eth0", report.path("interface").asText());
        assertEquals("bpf", report.path("method").asText());
        JsonNode step = report.path("steps").get(1);
        assertEquals("changed", step.path("outcome").asText());
        assertEquals("setting", step.path("kind").asText());
        assertEquals("net/ipv4/conf/eth0/arp_ignore", step.path("name").asText());
        assertEquals("0", step.path("before").asText());
        assertEquals("1", step.path("after").asText());
    }

    @Test
    void statusTellsWhatIsNotWhole() {
        assertEquals(new Outcome(1, "nothing was set up here\n", ""), status(""));
        setup("--vip 192.0.2.10");
        host.count("opened", 12);
        Outcome whole = status("");
        assertEquals(0, whole.code());
        assertTrue(whole.out().contains("tunnel packets: opened 12\n"), whole.out());
        host.change("net/ipv4/conf/eth0/arp_ignore", "0");
        Outcome broken = status("");
        assertEquals(1, broken.code());
        assertTrue(
                broken.out().lines().anyMatch(line -> line.matches("differs +net.ipv4.conf.eth0.arp_ignore +1 +0")),
                broken.out());
        JsonNode report = json(status("-o json"));
        assertEquals(false, report.path("whole").asBoolean());
        assertEquals("differs", report.path("pieces").get(1).path("verdict").asText());
        assertEquals(12, report.path("counters").path("opened").asInt());
    }

    @Test
    void teardownPrintsWhatItUndoes() {
        assertEquals(new Outcome(0, "nothing was set up here\n", ""), teardown(""));
        setup("--vip 192.0.2.10");
        host.change("net/ipv4/conf/eth0/arp_announce", "1");
        Outcome dry = teardown("--dry-run");
        assertTrue(dry.out().endsWith("dry run: would undo 7, left as others made it 1\n"), dry.out());
        Outcome outcome = teardown("");
        assertEquals(0, outcome.code());
        assertTrue(outcome.out().endsWith("""
                address 192.0.2.10/32 on lo: present -> absent
                net.ipv4.conf.eth0.arp_announce: left as it is, 1; somebody has changed it since
                net.ipv4.conf.eth0.arp_ignore: 1 -> 0
                undone 7, left as others made it 1
                """), outcome.out());
    }

    @Test
    void refusalsAreErrors() {
        host.missPrivilege("must be root");
        assertEquals(new Outcome(1, "", "setup: must be root\n"), setup("--vip 192.0.2.10"));
        Outcome json = setup("--vip 192.0.2.10 -o json");
        assertEquals(1, json.code());
        assertEquals("must be root", json(json).path("notes").get(0).asText());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--vip localhost",
                "--vip 127.0.0.1",
                "--vip 224.0.0.1",
                "--vip fe80::1",
                "--vip ::",
                "--vip 192.0.2.10 --method magic",
                "--vip 192.0.2.10 --director-source 10.0.0.1/8"
            })
    void wrongUsageIsTold(String arguments) {
        Outcome outcome = setup(arguments);
        assertEquals(2, outcome.code());
    }
}
