// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.HealthAcceptRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.status.HealthAcceptView;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthAcceptCommandTest {
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
    void ofAService() {
        Outcome outcome = fixture.run("health", "accept", "edge");
        assertEquals("no longer frozen: edge\n", outcome.out());
        assertEquals(0, outcome.code());
        assertEquals(List.of(new HealthAcceptRequest("edge", false)), fixture.api.asked());
    }

    @Test
    void ofAll() throws Exception {
        assertEquals(
                "no longer frozen: edge web\n",
                fixture.run("health", "accept", "--all").out());
        assertEquals(List.of(new HealthAcceptRequest("", true)), fixture.api.asked());
        Outcome json = fixture.run("health", "accept", "--all", "-o", "json");
        assertEquals(Samples.tree(new HealthAcceptView(List.of("edge", "web"))), Json.parse(json.out()));
    }

    @Test
    void needsToBeToldOfWhom() {
        for (String arguments : List.of("health accept", "health accept edge --all")) {
            Outcome outcome = fixture.run(arguments.split(" "));
            assertEquals(2, outcome.code(), arguments);
            assertEquals("", outcome.out());
            assertTrue(outcome.err().startsWith("l4lb health accept: "), outcome.err());
        }
        assertEquals(2, fixture.run("health", "accept", "").code());
        assertEquals(List.of(), fixture.api.asked());
    }
}
