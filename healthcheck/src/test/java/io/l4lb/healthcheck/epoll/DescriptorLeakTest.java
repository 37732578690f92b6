// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.l4lb.test.Descriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Thousands of probes of every ending leave no descriptor and no TIME_WAIT. */
final class DescriptorLeakTest {
    private static final int ROUNDS = 40;
    private static final int PROBES_A_ROUND = 20;
    private static final int HANDSHAKES_A_ROUND = 4; // each takes a millisecond or more of computing
    private static final TlsCheck TLS = new TlsCheck(TlsSettings.ANY_CERTIFICATE);

    @Test
    void probesLeaveNothingOpen() throws IOException {
        try (ProbeBench bench = new ProbeBench();
                ScriptedServer good = ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                ScriptedServer bad = new ScriptedServer("127.0.0.1", DescriptorLeakTest::answerGarbage);
                ServerSocket silent = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress())) {
            InetSocketAddress never = (InetSocketAddress) silent.getLocalSocketAddress();
            InetSocketAddress closed = closedPort();
            round(bench, good, bad, never, closed); // warms up what is opened once
            long before = Descriptors.open();
            int verdicts = 0;
            for (int i = 0; i < ROUNDS; i++) {
                verdicts += round(bench, good, bad, never, closed);
            }
            assertEquals(ROUNDS * (PROBES_A_ROUND * 5 + HANDSHAKES_A_ROUND * 2), verdicts);
            // The servers' own ends close a moment after the verdict.
            await("no more than the " + before + " descriptors of before", () -> Descriptors.open() <= before);
            assertEquals(0, timeWaits(good.address().getPort()) + timeWaits(never.getPort()));
        }
    }

    /** Whatever was asked, in plain text or not. */
    private static void answerGarbage(Socket connection) throws IOException {
        if (connection.getInputStream().read(new byte[4096]) > 0) {
            ScriptedServer.send(connection, "garbage\r\n\r\n");
        }
    }

    private static int round(
            ProbeBench bench,
            ScriptedServer good,
            ScriptedServer bad,
            InetSocketAddress silent,
            InetSocketAddress closed) {
        HttpCheck http = new HttpCheck("/");
        List<CompletableFuture<Verdict>> probes = new ArrayList<>();
        for (int i = 0; i < PROBES_A_ROUND; i++) {
            probes.add(bench.start(good.address(), 0, http, ProbeBench.PATIENT));
            probes.add(bench.start(bad.address(), 0, http, ProbeBench.PATIENT));
            probes.add(bench.start(silent, 0, new TcpCheck(), ProbeBench.PATIENT));
            probes.add(bench.start(closed, 0, new TcpCheck(), ProbeBench.PATIENT));
            probes.add(bench.start(silent, 0, http, Duration.ofMillis(10)));
        }
        for (int i = 0; i < HANDSHAKES_A_ROUND; i++) {
            probes.add(bench.start(bad.address(), 0, TLS, ProbeBench.PATIENT));
            probes.add(bench.start(silent, 0, TLS, Duration.ofMillis(10)));
        }
        probes.forEach(ProbeBench::await);
        return probes.size();
    }

    /** Connections of either end in TIME_WAIT (state 06 of /proc/net/tcp) that name this port. */
    private static long timeWaits(int port) throws IOException {
        String hex = String.format(Locale.ROOT, ":%04X", port);
        return Files.readAllLines(Path.of("/proc/net/tcp")).stream()
                .map(line -> line.trim().split("\\s+"))
                .filter(fields -> fields.length > 3 && fields[3].equals("06"))
                .filter(fields -> fields[1].endsWith(hex) || fields[2].endsWith(hex))
                .count();
    }

    private static InetSocketAddress closedPort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return (InetSocketAddress) listener.getLocalSocketAddress();
        }
    }
}
