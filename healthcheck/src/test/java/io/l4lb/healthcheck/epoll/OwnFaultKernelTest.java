// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.Verdict.Outcome;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong on this side is not held against the real, and what goes wrong on the way is. */
@Tag("kernel")
final class OwnFaultKernelTest {
    private static final String HOST = "host";

    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inside = new InNamespace(this::build);

    private ProbeBench bench;

    private String build() {
        Machine.needNetworkNamespaces();
        namespaces.make(HOST);
        return namespaces.name(HOST);
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

    @Test
    void noFreeSourcePort() throws IOException {
        try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            namespaces.exec(HOST, "sysctl -qw net.ipv4.ip_local_port_range=40000\t40000");
            InetSocketAddress address = (InetSocketAddress) listener.getLocalSocketAddress();
            try (Socket taken = new Socket(address.getAddress(), address.getPort())) {
                assertEquals(40000, taken.getLocalPort());
                Verdict verdict = bench.probe(address, new TcpCheck(), ProbeBench.PATIENT);
                assertEquals("no free source port towards 127.0.0.1:" + address.getPort(), verdict.reason());
                assertEquals(Outcome.INCONCLUSIVE, verdict.outcome());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "prohibit,INCONCLUSIVE,cannot connect: Permission denied",
        "unreachable,FAILURE,no route to host",
        "throw,FAILURE,no route to host",
    })
    void aRouteThatRefuses(String kind, Outcome outcome, String reason) {
        namespaces.ip(HOST, "route add " + kind + " 192.0.2.1");
        Verdict verdict = bench.probe(new InetSocketAddress("192.0.2.1", 80), new TcpCheck(), ProbeBench.PATIENT);
        assertEquals(reason, verdict.reason());
        assertEquals(outcome, verdict.outcome());
    }

    /** The frames are for a station that nobody is. */
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1,0,no answer within 1s (SYN sent to 192.0.2.1)",
        "192.0.2.1,7,no answer within 1s (SYN sent through tunnel to 192.0.2.1)",
        "2001:db8::1,7,no answer within 1s (SYN sent through tunnel to 2001:db8:0:0:0:0:0:1)",
    })
    void aBlackHole(String address, int mark, String reason) {
        namespaces.ip(HOST, "link add hole type veth peer name bottom");
        namespaces.ip(HOST, "link set hole up");
        namespaces.ip(HOST, "link set bottom up");
        namespaces.ip(HOST, "addr add 192.0.2.9/24 dev hole");
        namespaces.ip(HOST, "addr add 2001:db8::9/64 dev hole nodad");
        namespaces.ip(HOST, "neigh add " + address + " lladdr 02:00:00:00:00:01 dev hole nud permanent");
        Verdict verdict = ProbeBench.await(
                bench.start(new InetSocketAddress(address, 80), mark, new TcpCheck(), ProbeBench.HASTY));
        assertEquals(reason, verdict.reason());
        assertEquals(Outcome.FAILURE, verdict.outcome());
    }

    @Test
    void noDescriptorLeft() {
        List<String> lines = Machine.run(
                        "prlimit",
                        "--nofile=300:300",
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StarvedProbes.class.getName())
                .lines()
                .toList();
        assertEquals(
                List.of(
                        "FAILURE connection refused",
                        "INCONCLUSIVE no descriptor for the probe: Too many open files",
                        "FAILURE connection refused"),
                lines);
    }
}
