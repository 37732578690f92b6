// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Route;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.Check;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.IcmpCheck;
import io.l4lb.test.Machine;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes of a given size, and echo requests, over a router to a real: real sockets, real links. */
@Tag("kernel")
final class PathMtuTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final int SIZE = 1500;

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @BeforeEach
    void makeHosts() {
        Machine.needNetworkNamespaces();
        namespaces.make("director");
        namespaces.make("router");
        namespaces.make("real");
        namespaces.connect("director", "eth0", "router", "left");
        namespaces.connect("real", "eth0", "router", "right");
        namespaces.batch("director", """
                address add 10.0.1.2/24 dev eth0
                address add fd00:1::2/64 dev eth0 nodad
                route add default via 10.0.1.1
                route add ::/0 via fd00:1::1
                """);
        namespaces.batch("router", """
                address add 10.0.1.1/24 dev left
                address add fd00:1::1/64 dev left nodad
                address add 10.0.2.1/24 dev right
                address add fd00:2::1/64 dev right nodad
                """);
        namespaces.batch("real", """
                address add 10.0.2.2/24 dev eth0
                address add fd00:2::2/64 dev eth0 nodad
                route add default via 10.0.2.1
                route add ::/0 via fd00:2::1
                """);
        namespaces.exec("router", "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
    }

    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void fullPacketsThatGetThroughAreUp(String real) throws Exception {
        assertEquals("HTTP 200", http(real).reason());
        assertTrue(http(real).success());
        assertEquals("echo reply", echo(real, SIZE).reason());
        assertEquals("echo reply", echo(real, 0).reason());
    }

    /** The router says so. */
    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void aSmallerLinkBehindTheRouterIsDown(String real) throws Exception {
        namespaces.ip("router", "link set right mtu 1400");
        assertEquals(Verdict.Outcome.FAILURE, http(real).outcome());
        assertTrue(
                http(real).reason().startsWith("packets of 1500 octets do not get through"),
                http(real).reason());
        Verdict ping = echo(real, SIZE);
        assertEquals(Verdict.Outcome.FAILURE, ping.outcome());
        assertTrue(ping.reason().contains("1500 octets"), ping.reason());
        assertEquals("echo reply", echo(real, 1400).reason());
    }

    /** Its server tells of it when the connection is made (MSS): clients send no larger ones either. */
    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void aRealThatTakesNoFullPacketsIsUpWithAWarning(String real) throws Exception {
        namespaces.ip("real", "link set eth0 mtu 1400");
        Verdict verdict = http(real);
        assertEquals("HTTP 200", verdict.reason());
        assertEquals(
                "packets of 1500 octets were not sent: the real takes 1400 at most (MSS)",
                verdict.notes().warning());
    }

    /** Nobody says so: the other end of the director's link takes no more. */
    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void aBlackHoleForFullPacketsIsDown(String real) throws Exception {
        namespaces.ip("router", "link set left mtu 1400");
        // A veth device takes a packet that is to be segmented later whatever its length.
        namespaces.exec("director", "ethtool -K eth0 tso off gso off");
        assertEquals(
                "connected, but no answer to a packet of 1500 octets within 2s (path MTU?)",
                http(real).reason());
    }

    /** As before, behind the router. */
    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void aBlackHoleForFullEchoRequestsIsDown(String real) throws Exception {
        namespaces.ip("real", "link set eth0 mtu 1400");
        assertEquals(
                "no answer to an echo request of 1500 octets within 2s (path MTU?)",
                echo(real, SIZE).reason());
        assertEquals("echo reply", echo(real, 0).reason());
    }

    @ParameterizedTest
    @CsvSource({"10.0.2.2", "fd00:2::2"})
    void aRealThatDoesNotEchoIsDown(String real) throws Exception {
        namespaces.exec("real", "sysctl -qw net.ipv4.icmp_echo_ignore_all=1 net.ipv6.icmp.echo_ignore_all=1");
        assertEquals(
                "no answer within 2s (echo request sent to "
                        + InetAddress.getByName(real).getHostAddress() + ")",
                echo(real, 0).reason());
    }

    private Verdict echo(String real, int size) throws Exception {
        return probe(real, 0, new IcmpCheck(), size);
    }

    private Verdict http(String real) throws Exception {
        try (NamespaceThread there = new NamespaceThread(namespaces.name("real"));
                ScriptedServer server = there.call(() -> ScriptedServer.answering(real, OK))) {
            return probe(real, server.address().getPort(), new HttpCheck("/"), SIZE);
        }
    }

    private Verdict probe(String real, int port, Check check, int size) throws Exception {
        InetAddress address = InetAddress.getByName(real);
        Probe probe = new Probe(new InetSocketAddress(address, port), new Route(address, 0, size), check, SHORT);
        try (NamespaceThread here = new NamespaceThread(namespaces.name("director"))) {
            return here.call(() -> {
                        try (ProbeBench bench = new ProbeBench()) {
                            return Optional.of(ProbeBench.await(bench.start(probe)));
                        }
                    })
                    .orElseThrow();
        }
    }
}
