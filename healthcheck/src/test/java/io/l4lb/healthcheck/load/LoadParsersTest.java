// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.CodedOutputStream;
import io.l4lb.healthcheck.load.LoadReport.Word;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LoadParsersTest {
    /** Of the ORCA document (cncf/xds): cpu_utilization 0.1, rps_fractional 2, named_metrics foo 0.1, bar 0.2. */
    private static final String PUBLISHED = "CZqZmZmZmbk/MQAAAAAAAABAQg4KA2ZvbxGamZmZmZm5P0IOCgNiYXIRmpmZmZmZyT8=";

    private static final Map<String, Double> PUBLISHED_METRICS =
            Map.of("cpu_utilization", 0.1, "rps_fractional", 2.0, "named_metrics.foo", 0.1, "named_metrics.bar", 0.2);

    @Test
    void orcaSaysTheSameInAllItsForms() {
        for (LoadReading reading : new LoadReading[] {
            OrcaLoad.parse("BIN " + PUBLISHED),
            OrcaLoad.parseBinary(PUBLISHED),
            OrcaLoad.parse(
                    "TEXT cpu_utilization=0.1, rps_fractional=2.0,named_metrics.foo = 1e-1, named_metrics.bar=0.2"),
            OrcaLoad.parse("JSON {\"cpu_utilization\": 0.1, \"rps_fractional\": 2, \"named_metrics\": {\"foo\": 0.1,"
                    + " \"bar\": 0.2}}"),
            OrcaLoad.parse(
                    "JSON {\"cpuUtilization\": 0.1, \"rpsFractional\": 2, \"namedMetrics\": {\"foo\": 0.1, \"bar\": 0.2}}")
        }) {
            LoadReport report = report(reading);
            assertEquals(PUBLISHED_METRICS, report.metrics());
            assertEquals(OptionalDouble.of(0.1), report.utilization());
        }
    }

    @Test
    void theApplicationsUtilizationOutweighsTheProcessors() {
        assertEquals(1.5, utilization("TEXT cpu_utilization=0.1,application_utilization=1.5"));
        assertEquals(0.1, utilization("TEXT cpu_utilization=0.1,application_utilization=0"));
        assertTrue(
                report(OrcaLoad.parse("TEXT mem_utilization=0.5")).utilization().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "TEXT",
                "TEXT ",
                "XML <load/>",
                "TEXT cpu_utilization",
                "TEXT cpu_utilization=-0.1",
                "TEXT cpu_utilization=NaN",
                "TEXT cpu_utilization=1e999",
                "TEXT cpu_utilization=0.1,cpu_utilization=0.2",
                "TEXT mem_utilization=1.1",
                "TEXT utilization.disk=1.1",
                "TEXT colour=1",
                "TEXT named_metrics.=1",
                "TEXT named_metrics=1",
                "TEXT eps.a=1",
                "JSON",
                "JSON []",
                "JSON {\"cpu_utilization\": \"0.1\"}",
                "JSON {\"cpu_utilization\": 0.1, \"cpu_utilization\": 0.1}",
                "JSON {\"cpu_utilization\": 0.1} trailing",
                "JSON {\"cpu_utilization\": 0.1, \"cpuUtilization\": 0.1}",
                "BIN !!!",
                "BIN CZqZ",
                "BIN CAE=", // field 1 as a varint
                "BIN "
            })
    void orcaThatIsWrongInPartIsRefusedAsAWhole(String value) {
        LoadReading reading = OrcaLoad.parse(value);
        assertTrue(reading.report().isEmpty());
        assertTrue(reading.problem().startsWith("ORCA: "), reading.problem());
    }

    @Test
    void fieldsOfLaterVersionsAreSkipped() throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(octets);
        out.writeUInt64(3, 7); // deprecated
        out.writeString(77, "later");
        out.writeDouble(1, 0.25);
        out.flush();
        String base64 = Base64.getEncoder().encodeToString(octets.toByteArray());
        assertEquals(
                Map.of("cpu_utilization", 0.25),
                report(OrcaLoad.parseBinary(base64)).metrics());
    }

    @Test
    void tooManyMetricsAreRefused() {
        StringBuilder text = new StringBuilder("TEXT eps=1");
        for (int i = 0; i < 64; i++) {
            text.append(",named_metrics.m").append(i).append("=1");
        }
        assertEquals(
                "ORCA: there are more than 64 metrics",
                OrcaLoad.parse(text.toString()).problem());
        assertTrue(OrcaLoad.parse("TEXT " + " ".repeat(9000)).report().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"0,0", "1,1", "0.75,0.75", "' 0.5 ',0.5", "1.0,1", "0.000,0"})
    void aPlainHeaderIsANumber(String text, double load) {
        assertEquals(
                OptionalDouble.of(load), report(PlainLoad.parse("x-load", text)).utilization());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.1", "-0.5", "+0.5", ".5", "5e-1", "0,5", "NaN", "0x1", "50%", "1.", "0.5 0.5"})
    void whatIsNoShareIsRefused(String text) {
        assertEquals(
                "header x-load: \"" + text + "\" is not a number from 0.0 to 1.0",
                PlainLoad.parse("x-load", text).problem());
    }

    @Test
    void aFieldOfJsonIsANumber() {
        assertEquals(
                OptionalDouble.of(0.5),
                report(json("/load/cpu", "{\"load\": {\"cpu\": 0.5}}")).utilization());
        assertEquals(OptionalDouble.of(1), report(json("/1", "[0, 1]")).utilization());
        assertEquals(
                "the body has nothing at /load/gpu",
                json("/load/gpu", "{\"load\": {\"cpu\": 0.5}}").problem());
        assertEquals(
                "/a: \"2\" is not a number from 0.0 to 1.0",
                json("/a", "{\"a\": 2}").problem());
        assertTrue(json("/a", "{\"a\": \"0.5\"}").report().isEmpty());
        assertTrue(json("/a", "{\"a\": 0.5, \"a\": 0.6}").problem().startsWith("the body is not JSON"));
        assertTrue(json("/a", "{\"a\": 0.5} x").problem().startsWith("the body is not JSON"));
        assertTrue(json("/a", "").report().isEmpty());
        assertTrue(json("/a", "[".repeat(5000)).problem().startsWith("the body is not JSON"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "75%,0.75,,",
                "'up 100%',1,UP,",
                "'UP, READY',,READY,",
                "'up drain',,DRAIN,",
                "'ready down # disk full 10%',,DOWN,",
                "'maint',,MAINT,",
                "'stopped\t0%',0,STOPPED,",
                "failed,,FAIL,",
                "'maxconn:30',,,30"
            })
    void anAgentCheckIsReadAsHaproxyDoes(String line, Double share, Word word, Double maxconn) {
        LoadReport report = report(AgentCheck.parse(line));
        assertEquals(share == null ? OptionalDouble.empty() : OptionalDouble.of(share), report.share());
        assertEquals(Optional.ofNullable(word), report.word());
        assertEquals(maxconn == null ? Map.of() : Map.of("maxconn", maxconn), report.metrics());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "'','the line says nothing'",
                "'# up','the line says nothing'",
                "'up sideways','\"sideways\" is not a word of it'",
                "'up down','both up and down'",
                "'ready maint','both ready and maint'",
                "'10% 20%','two percentages'",
                "101%,'101% is more than 100%'",
                "1000%,'\"1000%\" is not a word of it'"
            })
    void anAgentCheckThatIsNotClearIsRefused(String line, String problem) {
        assertEquals("agent-check: " + problem, AgentCheck.parse(line).problem());
    }

    @Property
    void whateverIsSentIsReadWithoutAnException(@ForAll String text, @ForAll byte[] octets) {
        for (String form : new String[] {"", "TEXT ", "JSON ", "BIN "}) {
            decided(OrcaLoad.parse(form + text));
        }
        decided(OrcaLoad.parse("BIN " + Base64.getEncoder().encodeToString(octets)));
        decided(OrcaLoad.parseBinary(text));
        decided(PlainLoad.parse("x-load", text));
        decided(JsonLoad.parse("/a", octets));
        decided(AgentCheck.parse(text));
    }

    @Property
    void everyShareIsReadAsItWasWritten(@ForAll @DoubleRange(max = 1) double share) {
        String text = String.format(Locale.ROOT, "%.6f", share);
        assertEquals(
                Double.parseDouble(text),
                report(PlainLoad.parse("x-load", text)).utilization().orElseThrow());
        assertEquals(Double.parseDouble(text), utilization("TEXT cpu_utilization=" + text));
    }

    private static void decided(LoadReading reading) {
        assertEquals(reading.report().isPresent(), reading.problem().isEmpty());
    }

    private static LoadReading json(String pointer, String body) {
        return JsonLoad.parse(pointer, body.getBytes(StandardCharsets.UTF_8));
    }

    private static LoadReport report(LoadReading reading) {
        return reading.report().orElseThrow(() -> new AssertionError(reading.problem()));
    }

    private static double utilization(String value) {
        return report(OrcaLoad.parse(value)).utilization().orElseThrow();
    }
}
