// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.reconcile.Freeze;
import io.l4lb.agent.reconcile.HealthRecord;
import io.l4lb.agent.reconcile.HealthRecord.Known;
import io.l4lb.healthcheck.HealthState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HealthFileTest {
    private static final HealthRecord RECORD = new HealthRecord(
            Map.of(
                    "tcp 192.0.2.1:80 via 10.0.1.1",
                    new Known(HealthState.UP, Instant.parse("2026-01-02T03:04:05.678Z"), 0, "HTTP 200"),
                    "tcp 192.0.2.1:80 via 10.0.1.2",
                    new Known(HealthState.DOWN, Instant.parse("2026-01-02T03:04:05Z"), 3, "say \"no\"\n")),
            new Freeze.Saved(
                    Map.of("", new Freeze.Rule(List.of("10.0.1.1"), "3 of 4 reals failed within 30s")),
                    Set.of("tcp 192.0.2.1:80"),
                    Map.of("tcp 192.0.2.1:80 via 10.0.1.1", true)));

    @TempDir
    private Path directory;

    private final List<String> notes = new ArrayList<>();

    @Test
    void whatIsWrittenIsReadBack() throws IOException {
        Files.write(directory.resolve("health.json"), HealthJson.bytes(RECORD));
        assertEquals(RECORD, opened());
        assertEquals(List.of(), notes);
    }

    @Test
    void withoutAFileNothingIsKnown() throws IOException {
        assertEquals(HealthRecord.NONE, opened());
        assertEquals(List.of(), notes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"version\": 1}",
                "{\"version\": -1, \"reals\": {}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 1, \"reals\": {\"a\": null}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 1, \"reals\": {}, \"frozen\": {\"\": {\"good\": null, \"reason\": \"x\"}},"
                        + " \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 1, \"reals\": {}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {\"a\": null}}}",
                "{\"version\": 1, \"reals\": {\"a\": {\"state\": \"up\", \"since\": \"2026-01-02T03:04:05Z\", \"flaps\": -1,"
                        + " \"reason\": \"\"}}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 2, \"reals\": {}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 1, \"reals\": {\"a\": {\"state\": \"well\", \"since\": \"2026-01-02T03:04:05Z\", \"flaps\": 0,"
                        + " \"reason\": \"\"}}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}",
                "{\"version\": 1, \"reals\": {\"a\": {\"state\": \"up\", \"since\": \"yesterday\", \"flaps\": 0,"
                        + " \"reason\": \"\"}}, \"frozen\": {}, \"held\": {\"accepted\": [], \"reals\": {}}}"
            })
    void aDamagedFileIsSaidAndKept(String text) throws IOException {
        Files.writeString(directory.resolve("health.json"), text);
        assertEquals(HealthRecord.NONE, opened());
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).contains("health starts anew, and it is kept as "), notes.get(0));
        assertEquals(text, Files.readString(directory.resolve("health.json.damaged")));
    }

    private HealthRecord opened() throws IOException {
        try (HealthFile file = HealthFile.open(directory, Duration.ofHours(1), notes::add)) {
            return file.earlier();
        }
    }
}
