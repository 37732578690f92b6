// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpProbeTest {
    private static final HttpCheck CHECK = new HttpCheck("/health?full=1");
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final ProbeBench bench = new ProbeBench();

    @AfterEach
    void stop() {
        bench.close();
    }

    @Test
    void theRequestIsAGetThatEndsItsConnectionAndNamesTheVip() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(OK)) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.PATIENT);
            assertEquals("HTTP 200", verdict.reason());
            assertTrue(verdict.success());
            String request = server.takeRequest().toLowerCase(Locale.ROOT);
            assertTrue(request.startsWith("get /health?full=1 http/1.1\n"), request);
            assertTrue(request.contains("\nhost: 127.0.0.1:" + server.address().getPort() + "\n"), request);
            assertTrue(request.contains("\nconnection: close\n"), request);
            assertFalse(request.contains("content-length"), request);
        }
    }

    @Test
    void aConfiguredHostIsSentAsItIs() throws Exception {
        HttpCheck check = new HttpCheck(
                new HttpCheck.Request("GET", "/", Optional.of("www.example.com"), List.of()),
                HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                Optional.empty(),
                Optional.empty());
        try (ScriptedServer server = ScriptedServer.answering("::1", OK)) {
            assertTrue(bench.probe(server.address(), check, ProbeBench.PATIENT).success());
            assertTrue(server.takeRequest().toLowerCase(Locale.ROOT).contains("\nhost: www.example.com\n"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1,80,192.0.2.1",
        "192.0.2.1,8080,192.0.2.1:8080",
        "2001:db8::10,80,[2001:db8::10]",
        "2001:db8::10,443,[2001:db8::10]:443"
    })
    void aVipIsWrittenAsInAUri(String address, int port, String host) {
        assertEquals(host, HttpRequestHead.hostOf(new InetSocketAddress(address, port), 80));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.0 200 OK\r\n\r\nuntil the connection ends",
                "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n" + OK,
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK,
            })
    void aCompleteResponseOfAnExpectedStatusIsUp(String response) throws IOException {
        try (ScriptedServer server = ScriptedServer.answering(response)) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.PATIENT);
            assertTrue(verdict.success(), verdict.reason());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 503 Service Unavailable|Content-Length: 0||,HTTP 503",
        "HTTP/1.1 404 Not Found|Content-Length: 100||cut,HTTP 404",
        "HTTP/1.1 101 Switching Protocols|Upgrade: h2c|Connection: upgrade||,HTTP 101",
        "SSH-2.0-OpenSSH_9.2||,malformed HTTP response",
        "HTTP/1.1 abc OK||,malformed HTTP response",
        "HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|,malformed HTTP response",
        "HTTP/1.1 200 OK|Content-Length: 100||cut,connection closed amid the response",
        "HTTP/1.1 20,connection closed without an HTTP response",
        "'',connection closed without an HTTP response",
    })
    void whatElseIsAnsweredIsDownInItsOwnWords(String response, String reason) throws IOException {
        try (ScriptedServer server = ScriptedServer.answering(response.replace("|", "\r\n"))) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.PATIENT);
            assertFalse(verdict.success());
            assertEquals(reason, verdict.reason());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'',no HTTP response within 1s",
        "HTTP/1.1 200,response did not end within 1s",
        "HTTP/1.1 200 OK|Content-Length: 100||some,response did not end within 1s",
    })
    void aResponseThatDoesNotEndFailsAtTheDeadline(String response, String reason) throws IOException {
        try (ScriptedServer server = ScriptedServer.holdingAfter(response.replace("|", "\r\n"))) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.HASTY);
            assertFalse(verdict.success());
            assertEquals(reason, verdict.reason());
        }
    }

    @Test
    void aSlowDripDoesNotMoveTheDeadline() throws IOException {
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            ScriptedServer.send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
            ScheduledFuture<?> drops = drip.scheduleAtFixedRate(() -> drop(connection), 0, 10, TimeUnit.MILLISECONDS);
            ScriptedServer.drain(connection);
            drops.cancel(false);
        })) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.HASTY);
            assertEquals("response did not end within 1s", verdict.reason());
        } finally {
            drip.shutdownNow();
        }
    }

    @Test
    void aResetIsToldApart() throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            int first = connection.getInputStream().read();
            connection.setSoLinger(first >= 0, 0);
        })) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.PATIENT);
            assertFalse(verdict.success());
            assertEquals("connection reset", verdict.reason());
        }
    }

    @Test
    void aHeaderWithoutEndIsNotReadOn() throws IOException {
        String response = "HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(100_000) + "\r\n\r\n";
        try (ScriptedServer server = ScriptedServer.holdingAfter(response)) {
            assertEquals(
                    "HTTP response header too long",
                    bench.probe(server.address(), CHECK, ProbeBench.PATIENT).reason());
        }
    }

    @Test
    void aBodyWithoutEndCountsByItsStatus() throws IOException {
        String chunk = "x".repeat(8192);
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            ScriptedServer.send(connection, "HTTP/1.1 200 OK\r\n\r\n");
            for (long sent = 0; sent < 1L << 30; sent += chunk.length()) {
                ScriptedServer.send(connection, chunk);
            }
        })) {
            Verdict verdict = bench.probe(server.address(), CHECK, ProbeBench.PATIENT);
            assertTrue(verdict.success(), verdict.reason());
        }
    }

    private static void drop(Socket connection) {
        try {
            ScriptedServer.send(connection, "x");
        } catch (IOException e) {
            // The probe is over; cancelled by the script.
            return;
        }
    }
}
