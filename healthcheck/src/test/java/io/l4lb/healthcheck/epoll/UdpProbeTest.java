// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.Verdict.Outcome;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.Octets;
import io.l4lb.healthcheck.check.UdpCheck;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UdpProbeTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    private final ProbeBench bench = new ProbeBench();

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void anAnswerIsHeldAgainstWhatIsExpected(String address) throws IOException {
        try (EchoServer server = new EchoServer(address)) {
            Verdict good =
                    bench.probe(server.address(), check("ping 7", Match.regex("^ping \\d$")), ProbeBench.PATIENT);
            assertEquals("answer matched /^ping \\d$/", good.reason());
            assertTrue(good.success());
            Verdict bad = bench.probe(server.address(), check("ping", Match.containing("pong")), ProbeBench.PATIENT);
            assertEquals("answer did not match \"pong\"", bad.reason());
            assertEquals(Outcome.FAILURE, bad.outcome());
            assertEquals(
                    "answered",
                    bench.probe(server.address(), check("ping"), ProbeBench.PATIENT)
                            .reason());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aClosedPortSaysSoByIcmp(String address) throws IOException {
        InetSocketAddress closed;
        try (EchoServer server = new EchoServer(address)) {
            closed = server.address();
        }
        for (UdpCheck check : new UdpCheck[] {check("ping"), check("ping", Match.containing("ping"))}) {
            Verdict verdict = bench.probe(closed, check, ProbeBench.PATIENT);
            assertEquals("port unreachable (ICMP)", verdict.reason());
            assertEquals(Outcome.FAILURE, verdict.outcome());
        }
    }

    @Test
    void silenceIsAnAnswerOnlyWhereNoneIsExpected() throws IOException {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = (InetSocketAddress) silent.getLocalSocketAddress();
            Verdict expected = bench.probe(address, check("ping", Match.containing("ping")), SHORT);
            assertEquals("no answer within 300ms (datagram sent to 127.0.0.1)", expected.reason());
            assertEquals(Outcome.FAILURE, expected.outcome());
            Verdict anything = bench.probe(address, check("ping"), SHORT);
            assertEquals("no ICMP error within 300ms", anything.reason());
            assertTrue(anything.success());
        }
    }

    private static UdpCheck check(String send) {
        return new UdpCheck(Octets.ofText(send), Optional.empty());
    }

    private static UdpCheck check(String send, Match expect) {
        return new UdpCheck(Octets.ofText(send), Optional.of(expect));
    }

    /** Sends back what it gets. */
    private static final class EchoServer implements AutoCloseable {
        private final DatagramSocket socket;
        private final Thread thread;

        private EchoServer(String address) throws IOException {
            socket = new DatagramSocket(0, InetAddress.getByName(address));
            thread = new Thread(this::serve, "echo-server");
            thread.setDaemon(true);
            thread.start();
        }

        private InetSocketAddress address() {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }

        private void serve() {
            DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
            try {
                while (true) {
                    packet.setLength(2048);
                    socket.receive(packet);
                    socket.send(packet);
                }
            } catch (IOException e) {
                // closed
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
