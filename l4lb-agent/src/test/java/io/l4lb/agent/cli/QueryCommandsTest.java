// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.IfDownView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands that only look print. */
class QueryCommandsTest {
    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path directory) {
        fixture = new CommandLineFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private void assertPrints(String expected, String... arguments) {
        Outcome outcome = fixture.run(arguments);
        assertEquals("", outcome.err());
        assertEquals(expected, outcome.out());
        assertEquals(0, outcome.code());
    }

    private void assertPrintsJson(Object expected, String... arguments) throws JsonProcessingException {
        Outcome outcome = fixture.run(arguments);
        assertEquals("", outcome.err());
        assertEquals(Samples.tree(expected), Json.parse(outcome.out()));
        assertEquals(0, outcome.code());
    }

    @Test
    void status() {
        assertPrints("""
                agent      degraded, started 2026-03-01T01:59:30Z (1d1h)
                version    0.1.0
                dataplane  xdp on eth0, native mode, adopted
                bgp        running

                NEIGHBOR                 AS  STATE  SINCE                        ANNOUNCED                    ERROR
                10.0.0.1              65000  up     2026-03-01T02:00:00Z (1d1h)  192.0.2.10/32 192.0.2.53/32  -
                2001:db8:0:1::1  4200000000  down   2026-03-02T03:00:00Z (4m5s)  -                            connection refused

                SERVICE  VIPS                     PROTOCOL  PORT  HEALTHY  ANNOUNCED  PROBLEM
                edge     192.0.2.10 2001:db8::10  tcp         80      1/2  yes        -
                dns      192.0.2.53               udp         53      1/1  no         table: write failed: ENOMEM

                VERDICT          PACKETS
                forward           123456
                pass: not a VIP       12

                PROBLEMS
                BGP session to 2001:db8:0:1::1 is down
                """, "status");
    }

    @Test
    void statusOfAnAgentThatHasNothingToDo() {
        StatusView full = Samples.status();
        fixture.api.reports(new StatusView(
                "running",
                full.version(),
                full.since(),
                full.dataplane(),
                new BgpView("off", List.of()),
                List.of(),
                Map.of(),
                List.of()));
        assertPrints("""
                agent      running, started 2026-03-01T01:59:30Z (1d1h)
                version    0.1.0
                dataplane  xdp on eth0, native mode, adopted
                bgp        off

                no problems
                """, "status");
    }

    @Test
    void serviceList() {
        assertPrints("""
                SERVICE  VIPS                     PROTOCOL  PORT  HEALTHY  ANNOUNCED  PROBLEM
                edge     192.0.2.10 2001:db8::10  tcp         80      1/2  yes        -
                dns      192.0.2.53               udp         53      1/1  no         table: write failed: ENOMEM
                """, "service", "list");
    }

    @Test
    void serviceShow() {
        assertPrints("""
                name          edge
                vips          192.0.2.10 2001:db8::10
                protocol      tcp
                port          80
                scheduler     maglev
                hash-key      5-tuple
                table-size    65537
                forwarding    ipip
                quorum        1
                health-check  http, host www.example.org, path /health, every 2s, timeout 1s, rise 2, fall 3
                healthy       1/2
                announced     yes
                table-digest  0123456789abcdef
                problem       -

                REAL                                 HEALTH    WEIGHT  SLOTS    SHARE  PACKETS     BYTES  SINCE                        REASON
                10.0.1.1                             up           100  65537  100.00%   123456  98765432  2026-03-01T01:59:30Z (1d1h)  2 of 2 probes succeed
                2001:db8:ffff:ffff:ffff:ffff:ffff:1  down    0 of 100      0    0.00%       77      4928  2026-03-02T03:03:50Z (15s)   no answer within 1s

                Probes that disagree:
                REAL                                 VIP           HEALTH  REASON
                2001:db8:ffff:ffff:ffff:ffff:ffff:1  192.0.2.10    up      status 200
                2001:db8:ffff:ffff:ffff:ffff:ffff:1  2001:db8::10  down    no answer within 1s
                """, "service", "show", "edge");
    }

    @Test
    void serviceShowWithoutDisagreement() {
        assertPrints("""
                name          dns
                vips          192.0.2.53
                protocol      udp
                port          53
                scheduler     maglev
                hash-key      5-tuple
                table-size    251
                forwarding    ipip
                quorum        30%
                health-check  tcp, every 500ms, timeout 500ms, rise 1, fall 1
                healthy       1/1
                announced     no
                table-digest  fedcba9876543210
                problem       table: write failed: ENOMEM

                REAL      HEALTH               WEIGHT  SLOTS    SHARE  PACKETS  BYTES  SINCE                        REASON
                10.0.1.3  up (not yet probed)      50    251  100.00%        0      0  2026-03-01T01:59:30Z (1d1h)  taken over
                """, "service", "show", "dns");
    }

    @Test
    void serviceShowWithServerIds() {
        fixture.api.reports(onlyWith(Samples.quic()));
        assertPrints("""
                name          quic
                vips          192.0.2.53
                protocol      udp
                port          443
                scheduler     maglev
                hash-key      quic-cid
                quic          cid-length 8, server-id-length 2, rotation 3
                table-size    251
                forwarding    ipip
                quorum        30%
                health-check  tcp, every 500ms, timeout 500ms, rise 1, fall 1
                healthy       1/1
                announced     no
                table-digest  fedcba9876543210
                problem       -

                SERVER-ID  REAL      HEALTH               WEIGHT  SLOTS    SHARE  PACKETS  BYTES  SINCE                        REASON
                0a0b       10.0.1.3  up (not yet probed)      50    251  100.00%        0      0  2026-03-01T01:59:30Z (1d1h)  taken over
                """, "service", "show", "quic");
    }

    @Test
    void servicesOnAnyPort() {
        fixture.api.reports(onlyWith(Samples.vpn()));
        assertPrints("""
                SERVICE  VIPS        PROTOCOL  PORT  HEALTHY  ANNOUNCED  PROBLEM
                vpn      192.0.2.53  any        any      1/1  no         -
                """, "service", "list");
        String shown = fixture.run("service", "show", "vpn").out();
        assertTrue(
                shown.lines()
                        .toList()
                        .containsAll(List.of(
                                "protocol      any",
                                "port          any",
                                "forwarding    gue",
                                "health-check  tcp, to port 443, every 500ms, timeout 500ms, rise 1, fall 1")),
                shown);
    }

    private static StatusView onlyWith(ServiceView service) {
        StatusView full = Samples.status();
        return new StatusView(
                full.state(),
                full.version(),
                full.since(),
                full.dataplane(),
                full.bgp(),
                List.of(),
                Map.of(),
                List.of(service));
    }

    @Test
    void realList() {
        assertPrints("""
                SERVICE  REAL                                 HEALTH                 WEIGHT  SLOTS    SHARE  PACKETS     BYTES  SINCE                        REASON
                edge     10.0.1.1                             up                        100  65537  100.00%   123456  98765432  2026-03-01T01:59:30Z (1d1h)  2 of 2 probes succeed
                edge     2001:db8:ffff:ffff:ffff:ffff:ffff:1  down                 0 of 100      0    0.00%       77      4928  2026-03-02T03:03:50Z (15s)   no answer within 1s
                dns      10.0.1.3                             up (not yet probed)        50    251  100.00%        0         0  2026-03-01T01:59:30Z (1d1h)  taken over
                """, "real", "list");
    }

    @Test
    void realListOfOneService() {
        assertPrints("""
                SERVICE  REAL      HEALTH               WEIGHT  SLOTS    SHARE  PACKETS  BYTES  SINCE                        REASON
                dns      10.0.1.3  up (not yet probed)      50    251  100.00%        0      0  2026-03-01T01:59:30Z (1d1h)  taken over
                """, "real", "list", "--service", "dns");
        assertEquals(fixture.run("real", "list", "--service", "dns"), fixture.run("real", "list", "dns"));
    }

    @Test
    void realsOfWeightZeroAreNotExpectedToBeHealthy() {
        StatusView full = Samples.status();
        fixture.api.reports(new StatusView(
                "running",
                full.version(),
                full.since(),
                full.dataplane(),
                full.bgp(),
                List.of(),
                Map.of(),
                List.of(Samples.drained())));
        assertPrints("""
                SERVICE  VIPS        PROTOCOL  PORT  HEALTHY  ANNOUNCED  PROBLEM
                dns      192.0.2.53  udp         53  drained  yes        -
                """, "service", "list");
    }

    @Test
    void explain() {
        assertPrints("""
                verdict                forward
                service                edge
                real                   10.0.1.1
                slot                   4711
                key                    5-tuple, tcp 10.1.0.2:1234 > 192.0.2.10:80
                hash                   00000000deadbeef
                next hop               02:00:00:00:02:01
                reason                 slot of the lookup table
                counted as             forward-table
                if 10.0.1.1 went down  it would go to 10.0.1.2; 32800 of 65537 slots would move, 32 of them not 10.0.1.1's own
                """, "explain", "--src", "10.1.0.2:1234", "--dst", "192.0.2.10:80");
    }

    @Test
    void explainTakesAFrame() {
        fixture.api.explains(CompletableFuture.completedFuture(Samples.passed()));
        assertPrints("""
                verdict     pass
                service     -
                real        -
                slot        -
                key         -
                hash        -
                next hop    -
                reason      it is not IP
                counted as  pass-not-ip
                """, "explain", "--packet", "02:00 FF\n00");
        assertEquals(List.of("0200ff00"), fixture.api.explained());
    }

    @Test
    void explainTakesAFrameAsLongAsAnyInterfaceTakesIt() {
        String digits = "ab".repeat(65000);
        assertEquals(0, fixture.run("explain", "--packet", "0x" + digits).code());
        assertEquals(List.of(digits), fixture.api.explained());
        Outcome tooLong = fixture.run("explain", "--packet", "00".repeat(65537));
        assertEquals(2, tooLong.code());
        assertTrue(tooLong.err().startsWith("l4lb explain: the frame has more than 65536 bytes"), tooLong.err());
    }

    @Test
    void explainAsksForNoPortsOfProtocolsWithoutThem() {
        String[] packet = {"explain", "--src", "10.1.0.2", "--dst", "192.0.2.10", "--protocol", "gre"};
        assertEquals(0, fixture.run(packet).code());
        packet[6] = "89";
        assertEquals(0, fixture.run(packet).code());
        assertEquals(
                List.of("/10.1.0.2:0 /192.0.2.10:0 47 false", "/10.1.0.2:0 /192.0.2.10:0 89 false"),
                fixture.api.explained());
    }

    @Test
    void explainSaysThatNobodyIsLeft() {
        fixture.api.explains(CompletableFuture.completedFuture(new ExplainView(
                "forward",
                "edge",
                "10.0.1.1",
                1,
                "00",
                "",
                "",
                "forward-table",
                "",
                "",
                new IfDownView("", "", 7, 0, 7))));
        assertTrue(fixture.run("explain", "--packet", "00")
                .out()
                .endsWith("it would go nowhere; 7 of 7 slots would move, 0 of them not 10.0.1.1's own\n"));
    }

    @Test
    void explainAsksForASynUnlessTold() {
        String[] packet = {"explain", "--src", "10.1.0.2:1", "--dst", "192.0.2.10:80"};
        var syn = fixture.run(packet);
        var established = fixture.run(packet[0], packet[1], packet[2], packet[3], packet[4], "--established");
        var udp = fixture.run(packet[0], packet[1], packet[2], packet[3], packet[4], "--protocol", "udp");
        assertEquals(List.of(0, 0, 0), List.of(syn.code(), established.code(), udp.code()));
        assertEquals(
                List.of(
                        "/10.1.0.2:1 /192.0.2.10:80 6 true",
                        "/10.1.0.2:1 /192.0.2.10:80 6 false",
                        "/10.1.0.2:1 /192.0.2.10:80 17 false"),
                fixture.api.explained());
    }

    @Test
    void jsonIsWhatTheServerSays() throws JsonProcessingException {
        StatusView status = Samples.status();
        assertPrintsJson(status, "status", "-o", "json");
        assertPrintsJson(status.services(), "service", "list", "-o", "json");
        assertPrintsJson(Samples.edge(), "service", "show", "edge", "--output=json");
        assertPrintsJson(
                status.services().stream().flatMap(s -> s.reals().stream()).toList(), "real", "list", "-ojson");
        assertPrintsJson(Samples.dns().reals(), "real", "list", "--service", "dns", "-o", "json");
        assertPrintsJson(Samples.explanation(), "explain", "--src", "10.0.0.1:1", "--dst", "10.0.0.2:2", "-o", "json");
    }

    @Test
    void jsonIsReadable() {
        assertPrints("""
                {
                  "verdict": "forward",
                  "service": "edge",
                  "real": "10.0.1.1",
                  "slot": 4711,
                  "hash": "00000000deadbeef",
                  "next-hop": "02:00:00:00:02:01",
                  "reason": "slot of the lookup table",
                  "counted-as": "forward-table",
                  "hash-key": "5-tuple",
                  "key": "tcp 10.1.0.2:1234 > 192.0.2.10:80",
                  "if-down": {
                    "real": "10.0.1.2",
                    "reason": "slot of the lookup table",
                    "moved": 32800,
                    "others": 32,
                    "table-size": 65537
                  }
                }
                """, "explain", "--src=[2001:db8::2]:1", "--dst=[2001:db8::10]:80", "-o", "json");
    }

    @Test
    void textFromARealCannotSteerTheTerminal() {
        StatusView full = Samples.status();
        fixture.api.reports(new StatusView(
                "degraded",
                full.version(),
                full.since(),
                full.dataplane(),
                new BgpView("off", List.of()),
                List.of("real says \u001b[2J\nno problems"),
                Map.of(),
                List.of()));
        String out = fixture.run("status").out();
        assertEquals("real says ?[2J?no problems\n", out.substring(out.indexOf("real says")));
    }
}
