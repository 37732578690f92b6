// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Route;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Full-size packets through a router whose links take them, say that they do not, or swallow them. */
@Tag("kernel")
final class FullPacketKernelTest {
    private static final String V4 = "10.9.1.2";
    private static final String V6 = "fd09:1::2";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final int SIZE = 1500;

    /** veth takes frames that are longer than its MTU by a VLAN tag (__is_skb_forwardable in net/core/dev.c). */
    private static final int SLACK = 4;

    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inside = new InNamespace(this::build);

    private ProbeBench bench;

    private String build() {
        Machine.needNetworkNamespaces();
        for (String host : new String[] {"prober", "router", "real"}) {
            namespaces.make(host);
        }
        namespaces.connect("prober", "eth0", "router", "near");
        namespaces.connect("router", "far", "real", "eth0");
        namespaces.exec("router", "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
        // A segment that is put off until the link is never too long for a link in between.
        namespaces.exec("prober", "ethtool -K eth0 tso off gso off");
        addresses("prober", "eth0", "10.9.0.1/24", "fd09:0::1/64");
        addresses("router", "near", "10.9.0.9/24", "fd09:0::9/64");
        addresses("router", "far", "10.9.1.9/24", "fd09:1::9/64");
        addresses("real", "eth0", V4 + "/24", V6 + "/64");
        namespaces.ip("prober", "route add default via 10.9.0.9");
        namespaces.ip("prober", "-6 route add default via fd09:0::9");
        routesOfReal("");
        return namespaces.name("prober");
    }

    private void addresses(String host, String link, String v4, String v6) {
        namespaces.ip(host, "addr add " + v4 + " dev " + link);
        namespaces.ip(host, "addr add " + v6 + " dev " + link + " nodad");
    }

    private void routesOfReal(String metrics) {
        namespaces.ip("real", "route replace default via 10.9.1.9" + metrics);
        namespaces.ip("real", "-6 route replace default via fd09:1::9" + metrics);
    }

    @BeforeEach
    void start() {
        bench = new ProbeBench();
    }

    @AfterEach
    void stop() {
        bench.close();
        namespaces.close();
    }

    /** The MTU of the first link is such that it takes packets of exactly the size asked for. */
    @ParameterizedTest
    @ValueSource(strings = {V4, V6})
    void aPathThatTakesThemIsGood(String real) throws Exception {
        namespaces.ip("router", "link set near mtu " + (SIZE - SLACK));
        Verdict verdict = probe(real, SIZE, ProbeBench.PATIENT);
        assertEquals("HTTP 200", verdict.reason());
        assertEquals("", verdict.notes().warning());
    }

    @ParameterizedTest
    @ValueSource(strings = {V4, V6})
    void oneThatSwallowsThemIsTold(String real) throws Exception {
        namespaces.ip("router", "link set near mtu " + (SIZE - SLACK - 1));
        Verdict verdict = probe(real, SIZE, ProbeBench.HASTY);
        assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        assertEquals("connected, but no answer to a packet of 1500 octets within 1s (path MTU?)", verdict.reason());
        assertEquals("HTTP 200", probe(real, 0, ProbeBench.PATIENT).reason());
    }

    /** The kernel goes on with smaller packets, so that an answer comes; the next connection knows from its start. */
    @ParameterizedTest
    @ValueSource(strings = {V4, V6})
    void aRoutersVetoIsToldThoughSmallerPacketsAreAnswered(String real) throws Exception {
        namespaces.ip("router", "link set far mtu 1400");
        for (int i = 0; i < 2; i++) {
            Verdict verdict = probe(real, SIZE, ProbeBench.PATIENT);
            assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
            assertEquals("packets of 1500 octets do not get through: path MTU 1400", verdict.reason());
        }
        assertEquals("HTTP 200", probe(real, 0, ProbeBench.PATIENT).reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {V4, V6})
    void aRealThatTakesSmallerSegmentsIsGoodWithAWarning(String real) throws Exception {
        routesOfReal(" advmss 1000");
        Verdict verdict = probe(real, SIZE, ProbeBench.PATIENT);
        assertEquals("HTTP 200", verdict.reason());
        assertEquals(
                "packets of 1500 octets were not sent: the real takes " + (real.equals(V4) ? 1040 : 1060)
                        + " at most (MSS)",
                verdict.notes().warning());
    }

    private Verdict probe(String real, int packetSize, Duration timeout) throws Exception {
        try (NamespaceThread there = new NamespaceThread(namespaces.name("real"));
                ScriptedServer server = there.call(() -> ScriptedServer.answering(real, OK))) {
            InetSocketAddress address = server.address();
            Route route = new Route(address.getAddress(), 0, packetSize);
            return ProbeBench.await(bench.start(new Probe(address, route, new HttpCheck("/"), timeout)));
        }
    }
}
