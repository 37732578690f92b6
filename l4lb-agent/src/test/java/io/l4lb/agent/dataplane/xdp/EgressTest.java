// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.test.Address.ip;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.l4lb.netlink.generic.NetDevices;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.InNamespace;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets of real sockets come to where the reals are, by whatever interface they have to leave. */
@Tag("kernel")
final class EgressTest {
    private static final int PACKETS = 50;
    /** On the director's own link to the reals, and an address of theirs. */
    private static final InetAddress ON_LINK = ip("10.6.0.9");

    @AutoClose
    private final TwoLinkLab lab = new TwoLinkLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::buildWithReals);

    private RouteTable routes;

    @BeforeEach
    void open() {
        routes = RouteTable.open();
    }

    @AfterEach
    void close() {
        routes.close();
    }

    private TwoLinkBalancer balancer(boolean fib, String... ingress) {
        return new TwoLinkBalancer(routes, TwoLinkLab.rules(routes, fib, ingress), 0);
    }

    private static void awaitWay(TwoLinkBalancer balancer, InetAddress... reals) {
        await("the way is known", () -> balancer.follow(reals).isEmpty());
    }

    /** Sends to a VIP from the clients' side; all must come to a real through its tunnel. */
    private void assertArrive(TwoLinkBalancer balancer, InetAddress real) throws Exception {
        balancer.install(DNS4, real);
        assertArrive(real);
    }

    private void assertArrive(InetAddress real) throws Exception {
        long before = lab.tunnelPackets(real);
        lab.sendFromClients(DNS4, PACKETS);
        await(PACKETS + " packets arrive at " + real, () -> lab.tunnelPackets(real) >= before + PACKETS);
    }

    @Test
    void throughAGatewayByAnotherInterface() throws Exception {
        try (TwoLinkBalancer balancer = balancer(false, "in")) {
            awaitWay(balancer, ONE, SIX);
            assertArrive(balancer, ONE);
            assertArrive(balancer, SIX);
        }
    }

    @Test
    void throughAGatewayByOneOfSeveralInterfaces() throws Exception {
        try (TwoLinkBalancer balancer = balancer(false, "in", "out")) {
            awaitWay(balancer, ONE);
            assertArrive(balancer, ONE);
            /* The real sends to the VIP itself: in by the interface that leads back to it. */
            long before = lab.tunnelPackets(ONE);
            lab.sendFromReals(DNS4, PACKETS);
            await("they come back", () -> lab.tunnelPackets(ONE) >= before + PACKETS);
        }
    }

    @Test
    void askingTheKernelForEachPacket() throws Exception {
        lab.forward();
        lab.director("route add 10.4.0.0/24 via 10.2.0.1");
        InetAddress infront = ip("10.4.0.1");
        try (TwoLinkBalancer balancer = balancer(true, "in")) {
            awaitWay(balancer, ONE, SIX, ON_LINK, infront);
            for (InetAddress real : List.of(ONE, SIX, ON_LINK)) {
                assertArrive(balancer, real);
            }
            balancer.install(DNS4, infront);
            long before = lab.tunnelPacketsInFront();
            lab.sendFromClients(DNS4, PACKETS);
            await("they leave by where they came in", () -> lab.tunnelPacketsInFront() >= before + PACKETS);
        }
    }

    @Test
    void askingTheKernelInVainIsCounted() throws Exception {
        try (TwoLinkBalancer balancer = balancer(true, "in")) {
            await("the sysctl is named", () -> balancer.follow(ONE)
                    .equals(Map.of(ONE, "next-hop \"fib\" needs net.ipv4.conf.in.forwarding=1 (sysctl)")));
            balancer.install(DNS4, ONE);
            lab.sendFromClients(DNS4, PACKETS);
            await("they are dropped", () -> balancer.packets("drop-no-next-hop") >= PACKETS);
            lab.forward();
            awaitWay(balancer, ONE);
            assertArrive(ONE);
        }
    }

    @Test
    void anInterfaceThatSendsNothingOfOthersIsNamed() {
        try (TwoLinkBalancer balancer = balancer(false, "in");
                NetDevices devices = NetDevices.open()) {
            int out = TwoLinkLab.index(routes, "out");
            assumeTrue(devices.takesRedirected(out).isPresent(), "older kernels do not say");
            awaitWay(balancer, ONE);
            lab.stopReceiving();
            String problem = "the driver of interface out sends nothing that XDP redirects to it"
                    + " (a veth does if its other end has GRO or an XDP program, others if they have a program)";
            assertEquals(Map.of(ONE, problem), balancer.follow(ONE));
        }
    }

    @Test
    void aNeighborsNewMacIsFollowed() throws Exception {
        for (boolean fib : new boolean[] {false, true}) {
            String mac = "02:00:00:00:06:" + (fib ? "88" : "77");
            lab.forward();
            try (TwoLinkBalancer balancer = balancer(fib, "in")) {
                awaitWay(balancer, ONE);
                assertArrive(balancer, ONE);
                lab.back("link set back0 address " + mac);
                lab.director("neigh flush dev out");
                await(
                        "the new MAC is known",
                        () -> balancer.follow(ONE).isEmpty()
                                && lab.director("neigh show dev out").contains(mac));
                await("it is written", () -> balancer.follow(ONE).isEmpty());
                assertArrive(ONE);
            }
        }
    }

    @Test
    void anInterfaceThatIsGoneAndReturnsIsTakenAgain() throws Exception {
        for (boolean fib : new boolean[] {false, true}) {
            lab.forward();
            try (TwoLinkBalancer balancer = balancer(fib, "in")) {
                awaitWay(balancer, ONE);
                assertArrive(balancer, ONE);
                lab.cutReals();
                assertEquals(Set.of(ONE), balancer.follow(ONE).keySet());
                lab.connectReals();
                lab.forward();
                awaitWay(balancer, ONE);
                assertArrive(ONE);
            }
        }
    }

    @Test
    void theOuterSourceVariesOverItsPrefix() throws Exception {
        NextHopRules rules = new NextHopRules(
                Set.of(TwoLinkLab.index(routes, "in")), false, Optional.of(ip("10.6.0.16")), Optional.empty());
        try (TwoLinkBalancer balancer = new TwoLinkBalancer(routes, rules, 4)) {
            /* Loose: what has a route may come in by any interface; the prefix lies on the link. */
            lab.looseReversePathFilter();
            awaitWay(balancer, ONE);
            assertArrive(balancer, ONE);
        }
        NextHopRules madeUp = new NextHopRules(rules.ingress(), false, Optional.of(ip("172.16.0.0")), Optional.empty());
        try (TwoLinkBalancer balancer = new TwoLinkBalancer(routes, madeUp, 4)) {
            awaitWay(balancer, ONE);
            balancer.install(DNS4, ONE);
            long before = lab.refusedSources();
            lab.sendFromClients(DNS4, PACKETS);
            await("a source that nobody has a route to is refused", () -> lab.refusedSources() >= before + PACKETS);
        }
    }
}
