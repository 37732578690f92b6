// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.test.Address.ip;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.route.KeptNeighbor;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.InNamespace;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What bpf_fib_lookup needs is there, or it is said what is missing. */
@Tag("kernel")
final class LookedUpHopTest {
    private static final InetAddress ON_LINK = ip("10.6.0.9");
    private static final Set<InetAddress> REALS = Set.of(ONE, SIX, ON_LINK);

    @AutoClose
    private final TwoLinkLab lab = new TwoLinkLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private RouteTable routes;

    @BeforeEach
    void open() {
        routes = RouteTable.open();
    }

    @AfterEach
    void close() {
        routes.close();
    }

    private NextHops hops(String... ingress) {
        return new NextHops(routes, TwoLinkLab.rules(routes, true, ingress), NextHop.UNKNOWN, NextHop.UNKNOWN);
    }

    private static void awaitNoProblem(NextHops hops) {
        await("all reals can be reached", () -> hops.follow(REALS, Set.of()).isEmpty());
    }

    @Test
    void realsOnTheLinkAndBehindGateways() {
        lab.forward();
        lab.director("route add 10.4.0.0/24 via 10.2.0.1");
        NextHops hops = hops("in");
        awaitNoProblem(hops);
        await("all gateways are known", () -> hops.follow(Set.of(ONE, ON_LINK, ip("10.4.0.1")), Set.of())
                .isEmpty());
        int in = TwoLinkLab.index(routes, "in");
        int out = TwoLinkLab.index(routes, "out");
        assertEquals(Optional.of(out), hops.interfaceTo(ONE));
        assertEquals(Optional.of(out), hops.interfaceTo(ON_LINK));
        assertEquals(Optional.of(in), hops.interfaceTo(ip("10.4.0.1")));
        assertEquals(
                Set.of(
                        new KeptNeighbor(out, ip("10.6.0.1")),
                        new KeptNeighbor(out, ON_LINK),
                        new KeptNeighbor(in, ip("10.2.0.1"))),
                Set.copyOf(routes.kept()));
        assertTrue(hops.ipv4().known());
    }

    @Test
    void theSwitchThatIsOffIsNamed() {
        NextHops hops = hops("in", "out");
        Map<InetAddress, String> problems = hops.follow(REALS, Set.of());
        String sysctl = "next-hop \"fib\" needs net.ipv4.conf.%s.forwarding=1, net.ipv4.conf.%s.forwarding=1 (sysctl)";
        assertEquals(
                Set.of(
                        sysctl.formatted("in", "out"),
                        sysctl.replace("ipv4", "ipv6").formatted("in", "out")),
                Set.copyOf(problems.values()));
        assertEquals(REALS, problems.keySet());
        String all = sysctl.replace(" (sysctl)", ", ") + "net.ipv6.conf.%s.forwarding=1, net.ipv6.conf.%s.forwarding=1";
        assertEquals(Optional.of(all.formatted("in", "out", "in", "out") + " (sysctl)"), hops.obstacle(REALS));
        assertEquals(Optional.of(sysctl.formatted("in", "out")), hops.obstacle(Set.of(ONE)));
        assertEquals(Optional.empty(), hops.obstacle(Set.of()));
        lab.sysctl("net.ipv4.conf.in.forwarding=1");
        String left = "next-hop \"fib\" needs net.ipv4.conf.out.forwarding=1 (sysctl)";
        await("the gateway is known", () -> hops.follow(Set.of(ONE), Set.of()).equals(Map.of(ONE, left)));
        assertEquals(Optional.of(left), hops.obstacle(Set.of(ONE)));
        lab.forward();
        awaitNoProblem(hops);
        assertEquals(Optional.empty(), hops.obstacle(REALS));
    }

    @Test
    void aDotInTheNameIsWrittenAsSysctlWantsIt() {
        lab.director("link add a.b type veth peer name c");
        String name = "net.ipv4.conf.a/b.forwarding=1";
        assertEquals(
                Optional.of("next-hop \"fib\" needs " + name + " (sysctl)"),
                hops("a.b").obstacle(Set.of(ONE)));
        lab.sysctl(name);
        assertEquals(Optional.empty(), hops("a.b").obstacle(Set.of(ONE)));
    }

    @Test
    void whoDoesNotAnswerIsNamed() {
        lab.forward();
        InetAddress silent = ip("10.6.0.77");
        InetAddress behind = ip("10.5.0.1");
        InetAddress nowhere = ip("10.7.0.1");
        lab.director("route add 10.5.0.0/24 via 10.6.0.66");
        lab.director("route add unreachable 10.7.0.0/24");
        assertEquals(
                Map.of(
                        silent,
                        "its MAC address is not known: it does not answer on the director's link",
                        behind,
                        "the MAC address of its gateway 10.6.0.66 is not known",
                        nowhere,
                        "no route to it",
                        ip("10.6.0.2"),
                        "it is an address of this director"),
                hops("in").follow(Set.of(silent, behind, nowhere, ip("10.6.0.2")), Set.of()));
    }

    @Test
    void aLinkThatGoesDownIsSaidAndTakenAgain() {
        lab.forward();
        NextHops hops = hops("in");
        awaitNoProblem(hops);
        lab.back("link set back0 down");
        String down = "the link of interface out is down";
        assertEquals(Map.of(ONE, down, SIX, down, ON_LINK, down), hops.follow(REALS, Set.of()));
        lab.back("link set back0 up");
        lab.back("addr replace fd00:6::1/64 dev back0 nodad"); // IPv6 loses its addresses with the link
        awaitNoProblem(hops);
        lab.director("route del default");
        lab.director("-6 route del default");
        lab.director("link del out");
        assertEquals(REALS, hops.follow(REALS, Set.of()).keySet());
        lab.connectBack();
        lab.forward();
        awaitNoProblem(hops);
    }
}
