// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.Octets;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.load.LoadReading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is sent over TCP, and what is made of the answers. */
final class TcpAnswerTest {
    private static final Octets QUESTION = Octets.ofText("anyone there");
    private static final TcpCheck AGENT = new TcpCheck(Octets.NONE, Optional.empty(), true);

    @AutoClose
    private final ProbeBench bench = new ProbeBench();

    @ParameterizedTest
    @CsvSource({"+PONG", "-LOADING +PONG", "+PONG\u00e9"})
    void anAnswerThatMatchesIsEnoughThoughTheConnectionStays(String answer) throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter(answer)) {
            Verdict verdict = bench.probe(server.address(), expecting("+PONG"), ProbeBench.PATIENT);
            assertEquals("answer matched \"+PONG\"", verdict.reason());
            assertTrue(verdict.success());
        }
    }

    @Test
    void theQuestionIsSentAndTheAnswerMayComeInPieces() throws IOException {
        try (ScriptedServer server = new ScriptedServer("::1", connection -> {
            String question =
                    new String(connection.getInputStream().readNBytes(QUESTION.length()), StandardCharsets.ISO_8859_1);
            for (char c : question.equals("anyone there") ? "I am".toCharArray() : "??".toCharArray()) {
                ScriptedServer.send(connection, String.valueOf(c));
            }
            ScriptedServer.drain(connection);
        })) {
            TcpCheck check = new TcpCheck(QUESTION, Optional.of(Match.regex("^I (am|was)")), false);
            Verdict verdict = bench.probe(server.address(), check, ProbeBench.PATIENT);
            assertEquals("answer matched /^I (am|was)/", verdict.reason());
            TcpCheck unanswered = new TcpCheck(QUESTION, Optional.empty(), false);
            assertEquals(
                    "connected, 12 octets sent",
                    bench.probe(server.address(), unanswered, ProbeBench.PATIENT)
                            .reason());
        }
    }

    @Test
    void anotherAnswerFailsWhenTheConnectionEnds() throws IOException {
        assertEquals("answer did not match \"+PONG\"", afterTheEnd("-LOADING", expecting("+PONG")));
        assertEquals("connection closed before an answer", afterTheEnd("", expecting("+PONG")));
        assertEquals("connection closed before an answer", afterTheEnd("", AGENT));
    }

    @Test
    void orAtTheDeadline() throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter("-LOADING")) {
            assertEquals(
                    "answer did not match \"+PONG\" within 1s",
                    bench.probe(server.address(), expecting("+PONG"), ProbeBench.HASTY)
                            .reason());
        }
        try (ScriptedServer server = ScriptedServer.holdingAfter("")) {
            assertEquals(
                    "no answer within 1s (connected, 12 octets sent)",
                    bench.probe(server.address(), expecting("+PONG"), ProbeBench.HASTY)
                            .reason());
            assertEquals(
                    "no answer within 1s (connected)",
                    bench.probe(server.address(), AGENT, ProbeBench.HASTY).reason());
        }
    }

    @Test
    void anAnswerWithoutEndIsNotReadOn() throws IOException {
        String chunk = "x".repeat(8192);
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            for (long sent = 0; sent < 1L << 30; sent += chunk.length()) {
                ScriptedServer.send(connection, chunk);
            }
        })) {
            TcpCheck check = new TcpCheck(Octets.NONE, Optional.of(Match.containing("+PONG")), false);
            assertEquals(
                    "answer did not match \"+PONG\"",
                    bench.probe(server.address(), check, ProbeBench.PATIENT).reason());
            assertEquals(
                    "agent-check's line is longer than 4096 octets",
                    bench.probe(server.address(), AGENT, ProbeBench.PATIENT).reason());
        }
    }

    @Test
    void aResetIsToldApart() throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            int first = connection.getInputStream().read();
            connection.setSoLinger(first >= 0, 0);
        })) {
            assertEquals(
                    "connection reset",
                    bench.probe(server.address(), expecting("+PONG"), ProbeBench.PATIENT)
                            .reason());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "75%,agent-check answered,true",
        "up 75%,agent-check answered,true",
        "drain,agent-check answered,true",
        "maint,agent-check answered,true",
        "down,agent-check says down,false",
        "stopped 10%,agent-check says stopped,false",
    })
    void anAgentsLineIsReadToItsEndOrToThatOfTheConnection(String line, String reason, boolean success)
            throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter(line + "\r\nmore")) {
            Verdict verdict = bench.probe(server.address(), AGENT, ProbeBench.PATIENT);
            assertEquals(reason, verdict.reason());
            assertEquals(success, verdict.success());
            assertTrue(verdict.notes().load().flatMap(LoadReading::report).isPresent());
        }
        assertEquals(reason, afterTheEnd(line, AGENT));
    }

    @Test
    void anAgentThatTalksNonsenseIsAliveButWithoutALoad() throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter("hello\n")) {
            Verdict verdict = bench.probe(server.address(), AGENT, ProbeBench.PATIENT);
            assertTrue(verdict.success(), verdict.reason());
            assertTrue(!verdict.notes().load().orElseThrow().problem().isEmpty());
        }
    }

    @Test
    void eachStepIsTold() throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter("+PONG")) {
            List<String> steps = bench.trace(server.address(), expecting("+PONG"));
            assertEquals(5, steps.size(), steps.toString());
            assertEquals(List.of("sent: 12 octets", "first octet of the answer"), steps.subList(3, 5));
        }
    }

    private String afterTheEnd(String answer, TcpCheck check) throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            ScriptedServer.send(connection, answer);
            connection.shutdownOutput();
            ScriptedServer.drain(connection);
        })) {
            return bench.probe(server.address(), check, ProbeBench.PATIENT).reason();
        }
    }

    private static TcpCheck expecting(String text) {
        return new TcpCheck(QUESTION, Optional.of(Match.containing(text)), false);
    }
}
