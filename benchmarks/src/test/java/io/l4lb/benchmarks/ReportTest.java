// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-02T12:00:00Z"), ZoneOffset.UTC);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private static Report report() {
        return new Report(
                Environment.observe(NOON, List.of("-Xmx1g")),
                Effort.full(),
                List.of(new TableFigures.Row(
                        "maglev",
                        1000,
                        65537,
                        new TableFigures.Time(1.5, 1.25, 0.75),
                        new TableFigures.Time(0.5, 0.5, 0.25),
                        1.8)),
                List.of(new KeyFigures.Row("sipHash13", 20, 19, 2)),
                null,
                null,
                null);
    }

    @Test
    void printsAlignedColumns() {
        report().printText(new PrintWriter(out, true));
        assertTrue(out.toString().contains("2026-01-02T12:00:00Z"), out.toString());
        assertTrue(
                out.toString()
                        .lines()
                        .anyMatch(line ->
                                line.matches("maglev +1000 +65537 +1.500 +1.250 +0.75 +0.500 +0.500 +0.25 +1.8")),
                out.toString());
        assertFalse(out.toString().contains("OVER %"), "what was not measured is not there");
    }

    @Test
    void printsJson() throws IOException {
        report().printJson(new PrintWriter(out, true));
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals("2026-01-02T12:00:00Z", json.at("/environment/date").asText());
        assertEquals(3, json.at("/effort/rounds").asInt());
        assertEquals(0.25, json.at("/tables/0/oneChanged/ratio").asDouble());
        assertEquals("sipHash13", json.at("/keys/0/hash").asText());
        assertEquals(Paper.SOURCE, json.at("/source").asText());
        assertFalse(json.has("balance"));
    }

    @Test
    void refusesWhatItCannotMeasure() {
        assertEquals(2, run("frames"));
        assertEquals(2, run("tables", "-o", "xml"));
        assertEquals("", out.toString());
    }

    @Test
    void saysWhatThereIs() {
        assertEquals(0, run("--help"));
        assertTrue(out.toString().contains("tables, keys, balance, packets"), out.toString());
    }

    private int run(String... arguments) {
        return Bench.commandLine(NOON, new PrintWriter(out, true), new PrintWriter(err, true))
                .execute(arguments);
    }
}
