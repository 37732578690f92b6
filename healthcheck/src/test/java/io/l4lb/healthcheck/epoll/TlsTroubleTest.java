// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Peers that break off TLS, or speak none. */
final class TlsTroubleTest {
    private static final TlsCheck TLS = new TlsCheck(TlsSettings.ANY_CERTIFICATE);

    @AutoClose
    private final ProbeBench bench = new ProbeBench();

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 400 Bad Request|Content-Length: 0||,peer does not speak TLS",
        "SSH-2.0-OpenSSH_9.2||,peer does not speak TLS",
        "'',connection closed amid the TLS handshake",
    })
    void anAnswerThatIsNotTls(String answer, String reason) throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            connection.getInputStream().read();
            ScriptedServer.send(connection, answer.replace("|", "\r\n"));
            connection.shutdownOutput();
            ScriptedServer.drain(connection);
        })) {
            Verdict verdict = bench.probe(server.address(), TLS, ProbeBench.PATIENT);
            assertEquals(reason, verdict.reason());
            assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        }
    }

    @Test
    void aReset() throws IOException {
        try (ScriptedServer server = new ScriptedServer("127.0.0.1", connection -> {
            int first = connection.getInputStream().read();
            connection.setSoLinger(first >= 0, 0);
        })) {
            Verdict verdict = bench.probe(server.address(), TLS, ProbeBench.PATIENT);
            assertEquals("connection reset amid the TLS handshake", verdict.reason());
        }
    }

    @Test
    void silenceAfterTheConnection() throws IOException {
        try (ScriptedServer server = new ScriptedServer("::1", ScriptedServer::drain)) {
            Verdict verdict = bench.probe(server.address(), TLS, ProbeBench.HASTY);
            assertEquals("no TLS handshake within 1s", verdict.reason());
            assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        }
    }

    /** In TLS 1.3 the alert comes after the handshake, in answer to the request. */
    @ParameterizedTest
    @CsvSource({
        "-tls1_3 -Verify 1 -verify_return_error,certificate required",
        "-tls1_2 -Verify 1 -verify_return_error,certificate required",
        "-tls1_3 -ciphersuites TLS_AES_128_CCM_SHA256,TLS handshake failed: handshake_failure",
    })
    void anAlert(String options, String reason, @TempDir Path directory) {
        TestAuthority authority = new TestAuthority(directory);
        Instant now = Instant.now();
        authority.issue("server", "IP:127.0.0.1", now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
        InetSocketAddress address = Nginx.freePort();
        List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-quiet", "-www"));
        command.addAll(List.of("-accept", NetUtil.toSocketAddressString(address)));
        command.addAll(List.of("-cert", authority.file("server.pem").toString()));
        command.addAll(List.of("-key", authority.file("server.key").toString()));
        command.addAll(Arrays.asList(options.split(" ", -1)));
        try (ServerProcess server = new ServerProcess(command, address)) {
            HttpCheck https = new HttpCheck(
                    HttpCheck.Request.get("/"),
                    HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                    Optional.of(TlsSettings.ANY_CERTIFICATE),
                    Optional.empty());
            Verdict verdict = bench.probe(server.address(), https, ProbeBench.PATIENT);
            assertEquals(reason, verdict.reason());
            assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        }
    }
}
