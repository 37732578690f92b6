// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.control.Selection;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.FlowView;
import io.l4lb.agent.status.FlowsEndView;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatsView.EventView;
import io.l4lb.agent.status.StatsView.FlowTableView;
import io.l4lb.agent.status.StatsView.RealStatsView;
import io.l4lb.agent.status.StatsView.ServiceStatsView;
import io.l4lb.agent.status.StatsView.VerdictView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code stats} and {@code flows} print. */
class ObservingCommandsTest {
    private static final FlowView WEB =
            new FlowView("198.51.100.7", 40000, "web", "192.0.2.10", "tcp", 80, "10.0.1.1", "established", 5, false);
    private static final FlowView ANY =
            new FlowView("2001:db8:1::2", 0, "any", "2001:db8::10", "47", 0, "10.0.1.2", "other", -1, true);

    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path directory) {
        fixture = new CommandLineFixture(directory);
        fixture.api.counts(stats("2026-03-02T03:04:05Z", 100), stats("2026-03-02T03:04:07Z", 150));
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static StatsView stats(String time, long packets) {
        return new StatsView(
                time,
                List.of(
                        new VerdictView("pass-not-ip", "it is not IP", 0, 0),
                        new VerdictView("forward-flow", "the flow table remembers this flow", packets, packets * 60)),
                List.of(new ServiceStatsView(
                        "web",
                        List.of(
                                new RealStatsView("10.0.1.1", packets, packets * 60),
                                new RealStatsView("10.0.1.2", 0, 0)),
                        List.of(new VerdictView("drop-ttl", "its time to live is used up", 7, 420)))),
                List.of(
                        new EventView("flow-added", "a flow is remembered", 9),
                        new EventView("flow-refused", "no room was found", 0)),
                new FlowTableView(9, 2, 65536));
    }

    private void assertPrints(String expected, String... arguments) {
        Outcome outcome = fixture.run(arguments);
        assertEquals("", outcome.err());
        assertEquals(expected, outcome.out());
        assertEquals(0, outcome.code());
    }

    @Test
    void stats() {
        assertPrints("""
                VERDICT       PACKETS  BYTES  REASON
                forward-flow      100   6000  the flow table remembers this flow

                SERVICE  REAL      PACKETS  BYTES
                web      10.0.1.1      100   6000
                web      10.0.1.2        0      0

                SERVICE  NOT FORWARDED  PACKETS  BYTES  REASON
                web      drop-ttl             7    420  its time to live is used up

                EVENT       COUNT  MEANING
                flow-added      9  a flow is remembered

                flow table: 9 of 65536 entries, 2 of them expired
                """, "stats");
    }

    @Test
    void wideStatsHaveZeroesToo() {
        String out = fixture.run("stats", "-o", "wide").out();
        assertTrue(out.contains("\npass-not-ip         0      0  it is not IP\n"), out);
        assertTrue(out.contains("\nflow-refused      0  no room was found\n"), out);
    }

    @Test
    void statsAsJson() throws JsonProcessingException {
        Outcome outcome = fixture.run("stats", "-o", "json");
        assertEquals(Samples.tree(stats("2026-03-02T03:04:05Z", 100)), Json.parse(outcome.out()));
    }

    @Test
    void watchedStatsHaveRates() {
        fixture.api.counts(
                stats("2026-03-02T03:04:05Z", 100),
                stats("2026-03-02T03:04:07Z", 150),
                stats("2026-03-02T03:04:09.5Z", 120));
        String[] rounds =
                fixture.run("stats", "--watch", "1", "--count", "3").out().split("(?m)^2026", -1);
        assertEquals(4, rounds.length);
        assertTrue(
                rounds[1].contains("VERDICT       PACKETS  BYTES  PACKETS/S  BITS/S  REASON\n"
                        + "forward-flow      100   6000          -       -  the flow table"),
                rounds[1]);
        assertTrue(rounds[2].startsWith("-03-02T03:04:07Z\n"), rounds[2]);
        assertTrue(rounds[2].contains("forward-flow      150   9000         25   12000  the flow"), rounds[2]);
        assertTrue(rounds[2].contains("web      10.0.1.1      150   9000         25   12000\n"), rounds[2]);
        assertTrue(rounds[2].contains("web      drop-ttl             7    420          0       0  its"), rounds[2]);
        assertTrue(rounds[3].contains("forward-flow      120   7200          0       0  the flow"), rounds[3]);
    }

    @Test
    void watchingEndsByCtrlC() {
        fixture.interrupt.complete(null);
        assertEquals(0, fixture.run("stats", "--watch").code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--count=1", "--watch=0", "--watch=-1", "--watch=x", "--watch --count=0"})
    void watchingThatCannotBeMeant(String options) {
        String[] given = ("stats " + options).split(" ", -1);
        assertEquals(2, fixture.run(given).code());
    }

    private void sends(long matching, Object... rows) {
        fixture.api.sends(sink -> {
            for (Object row : rows) {
                sink.put(row);
            }
            sink.put(new FlowsEndView(new FlowsEndView.End(rows.length, matching, 9, 4, 65536)));
            sink.end();
        });
    }

    @Test
    void flows() {
        sends(2, WEB, ANY);
        assertPrints("""
                CLIENT               SERVICE  VIP           PROTOCOL  PORT  REAL      STATE        IDLE  EXPIRED
                198.51.100.7:40000   web      192.0.2.10    tcp         80  10.0.1.1  established     5  no
                [2001:db8:1::2]:any  any      2001:db8::10  47         any  10.0.1.2  other           -  yes

                matching: 2; in the flow table: 9 of 65536, 4 of services or reals that are gone
                """, "flows");
        assertEquals(
                List.of(new FlowsRequest(Selection.ALL, "", FlowsRequest.NO_PORT, "", "", 1000)), fixture.api.asked());
    }

    @Test
    void noFlow() {
        sends(0);
        assertPrints("matching: 0; in the flow table: 9 of 65536, 4 of services or reals that are gone\n", "flows");
        assertPrints("[]\n", "flows", "-o", "json");
    }

    @Test
    void flowsAsJson() throws JsonProcessingException {
        sends(2, WEB, ANY);
        Outcome outcome = fixture.run("flows", "-o", "json");
        assertEquals(Samples.tree(List.of(WEB, ANY)), Json.parse(outcome.out()));
        assertEquals("", outcome.err());
    }

    @Test
    void moreFlowsThanAreShown() {
        sends(2, WEB);
        assertEquals(
                "l4lb flows: 1 of 2 are shown; --limit 0 shows all\n",
                fixture.run("flows").err());
    }

    @Test
    void titlesAreRepeatedSoThatNotAllRowsAreKept() {
        fixture.api.sends(sink -> {
            for (int i = 0; i < 2500; i++) {
                sink.put(WEB);
            }
            sink.put(new FlowsEndView(new FlowsEndView.End(2500, 2500, 2500, 0, 65536)));
            sink.end();
        });
        String out = fixture.run("flows", "--limit", "0").out();
        assertEquals(3, out.lines().filter(line -> line.startsWith("CLIENT")).count());
        assertEquals(2500, out.lines().filter(line -> line.startsWith("198.")).count());
    }

    @Test
    void flowsThatAreAskedFor() {
        sends(0);
        String[] command = {
            "flows",
            "--service",
            "web",
            "--vip",
            "192.0.2.10",
            "--source",
            "198.51.100.0/24",
            "--protocol",
            "tcp",
            "--port",
            "80",
            "--real",
            "10.0.1.1",
            "--state",
            "closing",
            "--limit",
            "7"
        };
        assertEquals(0, fixture.run(command).code());
        assertEquals(
                List.of(new FlowsRequest(
                        new Selection("web", "192.0.2.10", "198.51.100.0/24"), "tcp", 80, "10.0.1.1", "closing", 7)),
                fixture.api.asked());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--vip=x",
                "--source=10.0.0.0/33",
                "--source=10.60.0.2/24",
                "--port=65536",
                "--state=new",
                "--limit=-1",
                "--real=/"
            })
    void flowsThatCannotBeMeant(String option) {
        Outcome outcome = fixture.run("flows", option);
        assertEquals(2, outcome.code(), outcome.err());
        assertTrue(outcome.err().startsWith("l4lb flows: "), outcome.err());
    }

    @Test
    void flowsCounted() throws JsonProcessingException {
        fixture.api.counts(new FlowCountsView(
                List.of(
                        new FlowCountsView.Row("web", "10.0.1.1", 12, 1),
                        new FlowCountsView.Row("web", "fd00::1", 3, 0)),
                16,
                1,
                65536));
        assertPrints("""
                SERVICE  REAL      FLOWS  EXPIRED
                web      10.0.1.1     12        1
                web      fd00::1       3        0

                in the flow table: 16 of 65536, 1 of services or reals that are gone
                """, "flows", "--count");
        assertEquals(
                1,
                Json.parse(fixture.run("flows", "--count", "-o", "json").out())
                        .get("gone")
                        .asInt());
    }

    @Test
    void aFailureAmongTheFlows() {
        fixture.api.sends(sink -> {
            sink.put(WEB);
            sink.fail("read map flows: ENOMEM");
        });
        Outcome outcome = fixture.run("flows");
        assertEquals("l4lb flows: read map flows: ENOMEM\n", outcome.err());
        assertEquals(1, outcome.code());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stats", "flows", "flows --count", "capture"})
    void withoutAnAgent(String command) {
        fixture.close();
        Outcome outcome = fixture.run(command.split(" ", -1));
        assertEquals(3, outcome.code());
        assertTrue(outcome.err().contains("no agent listens on"), outcome.err());
    }
}
