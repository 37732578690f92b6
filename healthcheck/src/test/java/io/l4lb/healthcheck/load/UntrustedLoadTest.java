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
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a real may send to mislead: whoever reads a report, or why there is none, is not to be fooled by it. */
final class UntrustedLoadTest {
    private static final int LONGEST_PROBLEM = 250;

    @FunctionalInterface
    private interface Writer {
        void write(CodedOutputStream out) throws IOException;
    }

    @Test
    void aMapOfAnotherTypeIsRefused() throws IOException {
        // The entry named_metrics {"q": 1.0}, as the length of a field would be read.
        byte[] entry = {0x0a, 1, 'q', 0x11, 0, 0, 0, 0, 0, 0, (byte) 0xf0, 0x3f};
        assertEquals(
                Map.of("named_metrics.q", 1.0),
                report(binary(out -> out.writeByteArray(8, entry))).metrics());
        refused(binary(out -> {
            out.writeUInt64(8, entry.length);
            out.writeRawBytes(entry);
        }));
    }

    @Test
    void anEndOfWhatHasNotBegunIsRefused() throws IOException {
        int endOfGroup3 = 3 << 3 | 4;
        refused(binary(out -> {
            out.writeDouble(1, 0.25);
            out.writeUInt32NoTag(endOfGroup3);
        }));
        byte[] entry = {0x0a, 1, 'q', (byte) endOfGroup3};
        refused(binary(out -> out.writeByteArray(8, entry)));
    }

    @Test
    void groupsWithinGroupsAreRefused() throws IOException {
        int group77 = 77 << 3 | 3;
        refused(binary(out -> {
            for (int i = 0; i < 3000; i++) {
                out.writeUInt32NoTag(group77);
            }
        }));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"CPU_UTILIZATION", "CpuUtilization", "cpu_Utilization", "cpuutilization", "named_metrics.q"})
    void aNameThatIsNotWrittenAsTheMappingDoesIsAnother(String name) {
        refused(OrcaLoad.parse("JSON {\"" + name + "\": 0.1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"5\""}) // the JSON mapping of proto3 writes an uint64 as text
    void theDeprecatedRateIsPassedOverInJsonAsInBinary(String rate) {
        LoadReading reading = OrcaLoad.parse("JSON {\"rps\": " + rate + ", \"cpu_utilization\": 0.1}");
        assertEquals(Map.of("cpu_utilization", 0.1), report(reading).metrics());
    }

    @Test
    void anApplicationsOwnMetricMayBeNegativeInAllForms() throws IOException {
        byte[] entry = {0x0a, 1, 'q', 0x11, 0, 0, 0, 0, 0, 0, (byte) 0xf0, (byte) 0xbf};
        for (LoadReading reading : new LoadReading[] {
            OrcaLoad.parse("TEXT named_metrics.q=-1"),
            OrcaLoad.parse("JSON {\"named_metrics\": {\"q\": -1}}"),
            binary(out -> out.writeByteArray(8, entry))
        }) {
            assertEquals(Map.of("named_metrics.q", -1.0), report(reading).metrics());
        }
        refused(OrcaLoad.parse("TEXT eps=-1"));
        refused(OrcaLoad.parse("TEXT named_metrics.q=+1"));
        refused(OrcaLoad.parse("TEXT named_metrics.q=--1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\u001b[2Jb", "a\\nb", "a\\u009b31mb", "a\\u202eb", "a\\u2028b", "a\\ud800b"})
    void aNameThatWouldPaintOnATerminalIsRefused(String name) {
        refused(OrcaLoad.parse("JSON {\"named_metrics\": {\"" + name + "\": 1}}"));
    }

    @Test
    void aNameInAnyLanguageIsTaken() {
        assertEquals(
                Map.of("named_metrics.Länge der Schlange", 1.0),
                report(OrcaLoad.parse("JSON {\"named_metrics\": {\"Länge der Schlange\": 1}}"))
                        .metrics());
    }

    @ParameterizedTest
    @ValueSource(strings = {",up", "up,", " , up , ", "up,,", "\tup\t", ",,,up # ,,"})
    void separatorsAroundTheWordsOfAnAgentCheckDoNotMatter(String line) {
        assertEquals(Optional.of(Word.UP), report(AgentCheck.parse(line)).word());
    }

    @ParameterizedTest
    @ValueSource(strings = {",", " , ", ",#up", "\t"})
    void separatorsAloneSayNothing(String line) {
        assertEquals(
                "agent-check: the line says nothing", AgentCheck.parse(line).problem());
    }

    @Test
    void aProblemIsShortAndPrintableWhateverIsSent() {
        String hostile = "\\u001b[31m\\u009b2J" + "x".repeat(3000);
        String twice = "{\"" + hostile + "\": 1, \"" + hostile + "\": 2}";
        presentable(JsonLoad.parse("/a", twice.getBytes(StandardCharsets.UTF_8)));
        presentable(OrcaLoad.parse("JSON " + twice));
        presentable(OrcaLoad.parse("JSON {\"" + hostile + "\": \"\"}"));
        presentable(OrcaLoad.parse("JSON {\"utilization\": {\"" + hostile + "\": 7}}"));
        presentable(OrcaLoad.parse("TEXT \u001b[31m" + "x".repeat(3000) + "=no"));
        presentable(OrcaLoad.parse("TEXT named_metrics.\u001b[31m=no"));
        presentable(AgentCheck.parse("up \u001b[31m" + "x".repeat(3000)));
        presentable(PlainLoad.parse("x-load", "\u001b[31m" + "x".repeat(3000)));
    }

    @Property
    void aProblemIsPresentable(@ForAll String text, @ForAll byte[] octets) {
        for (LoadReading reading : new LoadReading[] {
            OrcaLoad.parse("TEXT " + text + "=" + text),
            OrcaLoad.parse("JSON {\"" + text + "\": 1, \"" + text + "\": 1}"),
            JsonLoad.parse("/a", text.getBytes(StandardCharsets.UTF_8)),
            JsonLoad.parse("/a", octets),
            AgentCheck.parse(text),
            PlainLoad.parse("x-load", text)
        }) {
            if (reading.report().isEmpty()) {
                presentable(reading);
            }
        }
    }

    private static LoadReading binary(Writer writer) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(octets);
        writer.write(out);
        out.flush();
        return OrcaLoad.parseBinary(Base64.getEncoder().encodeToString(octets.toByteArray()));
    }

    private static void presentable(LoadReading reading) {
        String problem = reading.problem();
        assertTrue(reading.report().isEmpty());
        assertTrue(problem.length() <= LONGEST_PROBLEM, () -> problem.length() + " characters: " + problem);
        assertTrue(problem.chars().allMatch(c -> c >= ' ' && c < 0x7f), problem);
    }

    private static void refused(LoadReading reading) {
        assertTrue(reading.report().isEmpty(), reading::toString);
        assertTrue(reading.problem().startsWith("ORCA: "), reading.problem());
    }

    private static LoadReport report(LoadReading reading) {
        return reading.report().orElseThrow(() -> new AssertionError(reading.problem()));
    }
}
