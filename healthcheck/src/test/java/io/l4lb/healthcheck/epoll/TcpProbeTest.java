// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.TcpCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TcpProbeTest {
    private final ProbeBench bench = new ProbeBench();

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aServerThatListensIsUp(String address) throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName(address))) {
            Verdict verdict = bench.probe(addressOf(listener), new TcpCheck(), ProbeBench.PATIENT);
            assertTrue(verdict.success());
            assertEquals("connected", verdict.reason());
            assertTrue(verdict.latency().toNanos() > 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void aClosedPortRefuses(String address) throws IOException {
        InetSocketAddress closed;
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getByName(address))) {
            closed = addressOf(listener);
        }
        Verdict verdict = bench.probe(closed, new TcpCheck(), ProbeBench.PATIENT);
        assertFalse(verdict.success());
        assertEquals("connection refused", verdict.reason());
    }

    /** A full accept queue drops further SYNs, as a black hole does. */
    @Test
    void silenceEndsAtTheDeadline() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<SocketChannel> fillers = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    SocketChannel filler = SocketChannel.open();
                    fillers.add(filler);
                    filler.configureBlocking(false);
                    filler.connect(addressOf(listener));
                }
                Verdict verdict = bench.probe(addressOf(listener), new TcpCheck(), ProbeBench.HASTY);
                assertEquals("no answer within 1s (SYN sent to 127.0.0.1)", verdict.reason());
                assertTrue(verdict.latency().compareTo(ProbeBench.HASTY) >= 0);
            } finally {
                for (SocketChannel filler : fillers) {
                    filler.close();
                }
            }
        }
    }

    /** The kernel refuses a connect to a multicast group before any packet leaves. */
    @Test
    void aDestinationWithoutARouteSaysSo() {
        Verdict verdict = bench.probe(new InetSocketAddress("224.0.0.1", 9), new TcpCheck(), ProbeBench.PATIENT);
        assertFalse(verdict.success());
        assertEquals("no route to host", verdict.reason());
    }

    /** A link-local destination without its interface (EINVAL). */
    @Test
    void anyOtherErrorIsToldInTheKernelsWords() {
        Verdict verdict = bench.probe(new InetSocketAddress("fe80::1", 9), new TcpCheck(), ProbeBench.PATIENT);
        assertEquals("cannot connect: Invalid argument", verdict.reason());
    }

    private static InetSocketAddress addressOf(ServerSocket listener) {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }
}
