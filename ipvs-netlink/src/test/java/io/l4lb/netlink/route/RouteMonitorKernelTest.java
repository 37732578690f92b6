// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("kernel")
@Timeout(120)
class RouteMonitorKernelTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String HOST = "host";

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @BeforeEach
    void make() {
        Machine.needNetworkNamespaces();
        namespaces.make(HOST);
    }

    private RouteMonitor open() throws Exception {
        return ThreadContext.inNamespace(namespaces.name(HOST), RouteMonitor::open);
    }

    @Test
    void hearsEveryKindOfChange() throws Exception {
        try (RouteMonitor monitor = open()) {
            for (String change : List.of(
                    "link add v0 type veth peer name v1",
                    "addr add 10.3.0.1/24 dev v0",
                    "addr add fd00:3::1/64 dev v0 nodad",
                    "route add blackhole 10.4.0.0/24",
                    "route add blackhole fd00:4::/64",
                    "neigh add 10.3.0.9 lladdr 02:00:00:00:00:09 dev v0",
                    "neigh add fd00:3::9 lladdr 02:00:00:00:00:09 dev v0",
                    "link delete v0")) {
                namespaces.ip(HOST, change);
                assertTrue(monitor.awaitChange(LONG), change);
            }
            for (String forwarding : List.of("net.ipv4.conf.lo.forwarding", "net.ipv6.conf.lo.forwarding")) {
                namespaces.exec(HOST, "sysctl -qw " + forwarding + "=1");
                assertTrue(monitor.awaitChange(LONG), forwarding);
            }
        }
    }

    @Test
    void moreChangesThanTheSocketHoldsAreAChange() throws Exception {
        try (RouteMonitor monitor = open()) {
            StringBuilder commands = new StringBuilder();
            for (int i = 0; i < 2000; i++) {
                commands.append("route add blackhole 10.4.%d.%d/32\n".formatted(i / 250, i % 250));
            }
            namespaces.batch(HOST, commands.toString());
            assertTrue(monitor.awaitChange(LONG));
            assertFalse(monitor.awaitChange(Duration.ZERO));
        }
    }

    @Test
    void closingWakesTheOneThatWaits() throws Exception {
        RouteMonitor monitor = open();
        FutureTask<Boolean> waiting = new FutureTask<>(() -> monitor.awaitChange(Duration.ofDays(1)));
        Thread waiter = new Thread(waiting, "waiter");
        waiter.start();
        monitor.close();
        assertEquals(false, waiting.get(30, TimeUnit.SECONDS));
        monitor.close();
    }
}
