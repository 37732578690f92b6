// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.test.Address.ip;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Prefix;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.InNamespace;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.xdp.BpfMap;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dataplane of a director between two networks, as it is configured. */
@Tag("kernel")
final class TwoLinkDataplaneTest {
    private static final int PACKETS = 50;
    private static final int MARK = 0x4c340001;

    @AutoClose
    private final TwoLinkLab lab = new TwoLinkLab();

    @AutoClose
    private final TemporaryBpfFs pins = new TemporaryBpfFs();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::buildWithReals);

    private XdpDataplane open(XdpSection.NextHop nextHop, Optional<Prefix> source4, String... interfaces) {
        return XdpDataplane.open(section(nextHop, source4, interfaces), Samples.SEED);
    }

    private XdpSection section(XdpSection.NextHop nextHop, Optional<Prefix> source4, String... interfaces) {
        XdpSection defaults = new XdpSection("in", XdpSection.Mode.NATIVE, nextHop, pins.path("l4lb"), 1500, 65536);
        return new XdpSection(
                new XdpSection.Placement(List.of(interfaces), XdpSection.Mode.NATIVE, false, pins.path("l4lb")),
                new XdpSection.Tunnels(nextHop, 1500, source4, Optional.empty()),
                defaults.flowTable(),
                XdpSection.Answers.DEFAULT);
    }

    private void assertForwards(XdpDataplane dataplane, InetAddress... reals) throws Exception {
        for (InetAddress real : reals) {
            program(Set.of(DNS4), Map.of(real, 1)).installOn(dataplane);
            await(
                    "the way is known",
                    () -> dataplane.follow(Set.of(reals), Set.of()).isEmpty());
            long before = lab.tunnelPackets(real);
            lab.sendFromClients(DNS4, PACKETS);
            await("all arrive at " + real, () -> lab.tunnelPackets(real) >= before + PACKETS);
        }
    }

    private int probeInterface() {
        try (BpfMap map = BpfMap.openPinned(pins.path("l4lb").resolve("probes")).orElseThrow()) {
            return ProbeTargetValue.decode(map.lookup(Word.encode(MARK)).orElseThrow())
                    .egress();
        }
    }

    @Test
    void throughOneGatewayAndThenAskingTheKernel() throws Exception {
        int out;
        try (RouteTable routes = RouteTable.open()) {
            out = TwoLinkLab.index(routes, "out");
        }
        try (XdpDataplane dataplane = open(XdpSection.NextHop.GATEWAY, Optional.empty(), "in")) {
            assertForwards(dataplane, ONE, SIX);
            dataplane.probes(Map.of(MARK, new ProbePath(ONE, Forwarding.IPIP)));
            assertEquals(out, probeInterface());
            assertEquals(List.of(), dataplane.info().notes());
        }
        lab.forward();
        InetAddress onLink = ip("10.6.0.9");
        try (XdpDataplane dataplane = open(XdpSection.NextHop.FIB, Optional.empty(), "in")) {
            assertTrue(dataplane.info().adopted());
            assertForwards(dataplane, ONE, onLink, SIX);
        }
    }

    @Test
    void bySeveralInterfacesWithVaryingSources() throws Exception {
        lab.looseReversePathFilter();
        try (XdpDataplane dataplane =
                open(XdpSection.NextHop.GATEWAY, Optional.of(new Prefix(ip("10.6.0.16"), 28)), "in", "out")) {
            assertForwards(dataplane, ONE);
            assertEquals(List.of(), dataplane.info().notes());
        }
        try (XdpDataplane dataplane =
                open(XdpSection.NextHop.GATEWAY, Optional.of(new Prefix(ip("172.16.0.0"), 28)), "in", "out")) {
            dataplane.follow(Set.of(ONE), Set.of());
            assertEquals(1, dataplane.info().notes().size(), dataplane.info().toString());
        }
    }

    @Test
    void theClientsInterfaceComesAfterTheStart() throws Exception {
        lab.cutClients();
        try (XdpDataplane dataplane = open(XdpSection.NextHop.GATEWAY, Optional.empty(), "in", "out")) {
            program(Set.of(DNS4), Map.of(ONE, 1)).installOn(dataplane);
            await(
                    "the way is known",
                    () -> dataplane.follow(Set.of(ONE), Set.of()).isEmpty());
            assertEquals(
                    List.of("interface in is missing: nothing comes in there"),
                    dataplane.info().notes());
            lab.connectClients();
            dataplane.keepAttached();
            assertEquals(List.of(), dataplane.info().notes());
            // Before the next look at routes: what comes in must not go back out there.
            long before = lab.tunnelPackets(ONE);
            lab.sendFromClients(DNS4, PACKETS);
            await("all arrive", () -> lab.tunnelPackets(ONE) >= before + PACKETS);
        }
    }

    @Test
    void theSwitchThatIsOffIsKnownBeforeAndAfterOpening() {
        XdpSection.NextHop fib = XdpSection.NextHop.FIB;
        String four = "next-hop \"fib\" needs net.ipv4.conf.in.forwarding=1 (sysctl)";
        assertEquals(Optional.of(four), XdpDataplane.obstacle(section(fib, Optional.empty(), "in"), Set.of(ONE)));
        assertEquals(
                Optional.empty(),
                XdpDataplane.obstacle(section(XdpSection.NextHop.GATEWAY, Optional.empty(), "in"), Set.of(ONE, SIX)));
        lab.sysctl("net.ipv4.ip_forward=1");
        assertEquals(Optional.empty(), XdpDataplane.obstacle(section(fib, Optional.empty(), "in"), Set.of(ONE)));
        try (XdpDataplane dataplane = open(fib, Optional.empty(), "in")) {
            assertEquals(Optional.empty(), dataplane.obstacle(Set.of(ONE)));
            assertEquals(Optional.of(four.replace("ipv4", "ipv6")), dataplane.obstacle(Set.of(ONE, SIX)));
            lab.sysctl("net.ipv4.ip_forward=0");
            assertEquals(Optional.of(four), dataplane.obstacle(Set.of(ONE)));
        }
    }
}
