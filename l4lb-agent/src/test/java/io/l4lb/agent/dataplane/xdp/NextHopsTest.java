// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.route.RouteMonitor;
import io.l4lb.test.InNamespace;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets go to the gateway that the kernel knows, and to the last one known while it knows none. */
@Tag("kernel")
final class NextHopsTest {
    private static final String OTHER_MAC = "02:00:00:00:02:99";
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Test
    void nothingIsSentBeforeTheGatewayIsKnown() {
        lab.loseGateway();
        try (XdpDataplane dataplane = lab.open()) {
            web().installOn(dataplane);
            String problem = "the gateway's MAC address is not known yet";
            assertEquals(Map.of(ONE, problem, TWO, problem, SIX, problem), dataplane.follow(REALS, Set.of()));
            assertEquals(Optional.empty(), FLOW.trySend());
            assertEquals(1, dataplane.verdicts().get("drop-no-next-hop"));
        }
    }

    @Test
    void theKernelIsMadeToFindTheGateway() throws Exception {
        lab.director("neigh flush all nud permanent");
        try (XdpDataplane dataplane = lab.open();
                RouteMonitor monitor = RouteMonitor.open()) {
            web().installOn(dataplane);
            while (!dataplane.follow(REALS, Set.of()).isEmpty()) {
                assertTrue(monitor.awaitChange(Duration.ofSeconds(30)));
            }
            assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
        }
    }

    @Test
    void anotherMacIsFollowed() {
        for (InetAddress real : Set.of(ONE, SIX)) {
            try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(real, 1)), REALS)) {
                assertEquals(new ClientFlow.Sent(real, DirectorLab.GATEWAY_MAC), FLOW.open());
                lab.gateway(OTHER_MAC);
                assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
                assertEquals(new ClientFlow.Sent(real, OTHER_MAC), FLOW.send());
                lab.gateway(DirectorLab.GATEWAY_MAC);
                assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
            }
        }
    }

    @Test
    void theLastGatewayIsKeptWithoutARoute() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            lab.director("route del default");
            lab.director("-6 route del default");
            assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
            assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
        }
    }

    @Test
    void theLastGatewayIsKeptWhileItsMacIsUnknown() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            lab.loseGateway();
            assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
            assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
        }
    }

    @Test
    void anotherGatewayIsFollowed() {
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), Set.of(ONE))) {
            lab.director("neigh add 10.2.0.7 lladdr " + OTHER_MAC + " dev d0");
            lab.director("route add 10.3.0.0/24 via 10.2.0.7");
            assertEquals(Map.of(), dataplane.follow(Set.of(ONE), Set.of()));
            assertEquals(OTHER_MAC, FLOW.send().gateway());
        }
    }

    @Test
    void realsThatCannotBeReachedAreNamed() {
        InetAddress onLink = ip("10.2.0.77");
        InetAddress elsewhere = ip("10.4.0.1");
        InetAddress nowhere = ip("10.5.0.1");
        lab.director("link add x0 type veth peer name x1");
        lab.director("link set x0 up");
        lab.director("link set x1 up");
        lab.director("route add 10.4.0.0/24 dev x0");
        lab.director("route add unreachable 10.5.0.0/24");
        lab.director("neigh add 10.2.0.7 lladdr " + OTHER_MAC + " dev d0");
        lab.director("route add 10.3.0.2/32 via 10.2.0.7");
        try (XdpDataplane dataplane = lab.open()) {
            String noRouter =
                    "it is on the director's own link: use next-hop \"fib\", \"gateway\" needs a router in between";
            assertEquals(
                    Map.of(onLink, noRouter, elsewhere, noRouter, nowhere, "no route to it"),
                    dataplane.follow(Set.of(onLink, elsewhere, nowhere), Set.of()));
            Map<InetAddress, String> twoGateways = dataplane.follow(Set.of(ONE, TWO), Set.of());
            assertEquals(1, twoGateways.size());
            assertTrue(twoGateways.toString().contains("its gateway is 10.2.0."), twoGateways.toString());
        }
    }
}
