// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.HealthRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code health show}, {@code history} and {@code probe} ask and print. */
class HealthCommandsTest {
    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path directory) {
        fixture = new CommandLineFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void show() {
        Outcome outcome = fixture.run("health", "show", "edge", "--vip", "192.0.2.10");
        List<String> lines = outcome.out().lines().toList();
        assertEquals(4, lines.size());
        assertTrue(lines.get(0).startsWith("SERVICE  VIP         REAL      STATE"), lines.get(0));
        assertTrue(lines.get(1).contains("  +120  0.75 ("), lines.get(1));
        assertTrue(lines.get(1).endsWith("  HTTP 200; certificate expires in 5 days"), lines.get(1));
        assertTrue(lines.get(2).contains("  down, held until 2026-01-01T03:04:40Z, 3 flaps  "), lines.get(2));
        assertTrue(lines.get(2).contains("  no header x-load  "), lines.get(2));
        assertTrue(lines.get(3).contains("  up, stale  "), lines.get(3));
        assertEquals(0, outcome.code());
        assertEquals(List.of(new HealthRequest("edge", "", "192.0.2.10")), fixture.api.asked());
    }

    @Test
    void showAsJson() throws Exception {
        assertEquals(
                Samples.tree(Samples.health()),
                Json.parse(fixture.run("health", "show", "-o", "json").out()));
        assertEquals(List.of(new HealthRequest("", "", "")), fixture.api.asked());
    }

    @Test
    void history() {
        Outcome outcome = fixture.run("health", "history", "edge", "--real", "10.0.1.1");
        assertEquals("""
                SERVICE  VIP         REAL      FROM                  TO                    TIMES  VERDICT  STATE  REASON
                edge     192.0.2.10  10.0.1.1  2026-01-01T02:59:50Z  2026-01-01T02:59:54Z      3  failure  down   HTTP 503
                edge     192.0.2.10  10.0.1.1  2026-01-01T03:00:00Z  2026-01-01T03:04:09Z    120  success  up     HTTP 200
                """, outcome.out());
        assertEquals(List.of(new HealthRequest("edge", "10.0.1.1", "")), fixture.api.asked());
    }

    @Test
    void probe() {
        Outcome outcome = fixture.run("health", "probe", "edge");
        assertEquals("""
                edge 192.0.2.10, real 10.0.1.1, to 192.0.2.10 port 80
                      +0.125  SYN sent through tunnel to 10.0.1.1
                      +0.500  connected
                      +1.250  success: HTTP 200
                              warning: certificate expires in 5 days
                              load: 0.75
                edge 192.0.2.10, real 10.0.1.2, to 192.0.2.10 port 80
                      +3.000  failure: body ?[2J
                """, outcome.out());
        assertEquals(1, outcome.code(), "one of them did not succeed");
    }

    @Test
    void whatIsNoAddressIsRefusedBeforeAnythingIsAsked() {
        for (String command : List.of("show", "history", "probe")) {
            Outcome outcome = fixture.run("health", command, "--real", "10.0.1.0/24");
            assertEquals(2, outcome.code(), command);
            assertFalse(outcome.err().isEmpty());
        }
        assertEquals(List.of(), fixture.api.asked());
    }
}
