// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.test.Address.ip;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.packet.MacAddress;
import io.l4lb.netlink.route.KeptNeighbor;
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

/** The one gateway of a family, by whatever interface it is reached, is followed through the kernel's changes. */
@Tag("kernel")
final class GatewayHopTest {
    private static final Set<InetAddress> REALS = Set.of(ONE, TWO, SIX);

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
        return new NextHops(routes, TwoLinkLab.rules(routes, false, ingress), NextHop.UNKNOWN, NextHop.UNKNOWN);
    }

    private NextHops known(String... ingress) {
        NextHops hops = hops(ingress);
        awaitNoProblem(hops);
        return hops;
    }

    private static void awaitNoProblem(NextHops hops) {
        await("all reals can be reached", () -> hops.follow(REALS, Set.of()).isEmpty());
    }

    private static String gateway(NextHop hop) {
        return hop.gateway().map(MacAddress::ofBytes).map(MacAddress::toString).orElse("unknown");
    }

    private Optional<String> egress(NextHop hop) {
        return hop.egress()
                .map(egress ->
                        routes.link(egress.interfaceIndex()).orElseThrow().name() + " " + egress.own());
    }

    private int out() {
        return TwoLinkLab.index(routes, "out");
    }

    @Test
    void byAnotherInterfaceThanPacketsComeInBy() {
        NextHops hops = known("in");
        for (NextHop hop : List.of(hops.ipv4(), hops.ipv6())) {
            assertEquals(TwoLinkLab.BACK_MAC, gateway(hop));
            assertEquals(Optional.of("out " + TwoLinkLab.DIRECTOR_OUT_MAC), egress(hop));
        }
        assertEquals(Optional.of(ip("10.6.0.2")), hops.ipv4().source());
        assertEquals(Optional.of(ip("fd00:6::2")), hops.ipv6().source());
        assertEquals(Optional.of(out()), hops.interfaceTo(ONE));
        assertEquals(Optional.of(out()), hops.interfaceTo(SIX));
        assertEquals(Optional.empty(), hops.interfaceTo(ip("10.3.0.99")));
    }

    @Test
    void bySeveralInterfacesItIsSaidWhichOneLeadsThere() {
        assertEquals(
                Optional.of("out " + TwoLinkLab.DIRECTOR_OUT_MAC),
                egress(known("in", "out").ipv4()));
        assertEquals(Optional.empty(), egress(known("out").ipv4()));
    }

    @Test
    void anotherMacIsFollowed() {
        NextHops hops = known("in");
        lab.back("link set back0 address 02:00:00:00:06:77");
        lab.director("neigh flush dev out");
        await("the new MAC is known", () -> {
            hops.follow(REALS, Set.of());
            return gateway(hops.ipv4()).equals("02:00:00:00:06:77")
                    && gateway(hops.ipv6()).equals("02:00:00:00:06:77");
        });
        lab.director("link set out address 02:00:00:00:06:55");
        await("the director's new MAC is known", () -> {
            hops.follow(REALS, Set.of());
            return egress(hops.ipv4()).equals(Optional.of("out 02:00:00:00:06:55"));
        });
    }

    @Test
    void aLinkThatGoesDownIsSaidAndTakenAgain() {
        NextHops hops = known("in");
        lab.back("link set back0 down");
        String noCarrier = "the link of interface out is down";
        assertEquals(Map.of(ONE, noCarrier, TWO, noCarrier, SIX, noCarrier), hops.follow(REALS, Set.of()));
        lab.back("link set back0 up");
        awaitNoProblem(hops);
        lab.director("link set out down");
        /* Nothing is left but the default route by the other interface, of which IPv6 keeps its addresses' routes. */
        lab.director("route del default");
        lab.director("-6 route del default");
        String down = "no route to it: interface out is down";
        assertEquals(Map.of(ONE, down, TWO, down, SIX, down), hops.follow(REALS, Set.of()));
        lab.director("link set out up");
        lab.director("addr replace fd00:6::2/64 dev out nodad");
        lab.routes();
        awaitNoProblem(hops);
    }

    @Test
    void anInterfaceThatIsGoneIsSaidAndTakenAgain() {
        NextHops hops = known("in");
        lab.director("route del default");
        lab.director("-6 route del default");
        lab.director("link del out");
        String gone = "no route to it: interface out is gone";
        assertEquals(Map.of(ONE, gone, TWO, gone, SIX, gone), hops.follow(REALS, Set.of()));
        lab.connectBack();
        awaitNoProblem(hops);
        assertEquals(Optional.of(out()), hops.interfaceTo(ONE));
    }

    @Test
    void theOtherWayOfAMultipathRouteIsTakenWhenTheFirstIsDown() {
        lab.director("route replace 10.3.0.0/24 nexthop via 10.6.0.1 nexthop via 10.2.0.1");
        NextHops hops = known("in");
        assertEquals(Map.of(), hops.follow(Set.of(ONE, TWO), Set.of()));
        String first = gateway(hops.ipv4());
        assertEquals(Map.of(), hops.follow(Set.of(ONE, TWO), Set.of()));
        assertEquals(first, gateway(hops.ipv4()));
        lab.back("link set back0 down");
        await("the other gateway is known", () -> {
            hops.follow(Set.of(ONE, TWO), Set.of());
            return gateway(hops.ipv4()).equals(TwoLinkLab.FRONT_MAC);
        });
        assertEquals(Optional.empty(), hops.ipv4().egress());
        assertEquals(Map.of(), hops.follow(Set.of(ONE, TWO), Set.of()));
    }

    @Test
    void whatIsUsedIsKeptFreshAndNothingElse() {
        NextHops hops = known("in");
        KeptNeighbor ipv4 = new KeptNeighbor(out(), ip("10.6.0.1"));
        KeptNeighbor ipv6 = new KeptNeighbor(out(), ip("fd00:6::1"));
        assertEquals(List.of(ipv4, ipv6), routes.kept());
        hops.follow(Set.of(ONE), Set.of());
        assertEquals(List.of(ipv4), routes.kept());
        NextHops successors = hops("in");
        successors.follow(Set.of(SIX), Set.of());
        assertEquals(List.of(ipv6), routes.kept());
    }

    @Test
    void aSourceThatIsConfiguredIsUsed() {
        NextHopRules rules = new NextHopRules(
                Set.of(TwoLinkLab.index(routes, "in")), false, Optional.of(ip("10.6.0.16")), Optional.empty());
        NextHops hops = new NextHops(routes, rules, NextHop.UNKNOWN, NextHop.UNKNOWN);
        awaitNoProblem(hops);
        assertEquals(Optional.of(ip("10.6.0.16")), hops.ipv4().source());
        assertEquals(Optional.of(ip("fd00:6::2")), hops.ipv6().source());
    }

    @Test
    void probesLeaveOnlyWhereTheProgramIs() {
        InetAddress vip = ip("192.0.2.10");
        assertEquals(Map.of(), hops("in").follow(Set.of(), Set.of(vip)));
        assertEquals(Set.of(vip), hops("out").follow(Set.of(), Set.of(vip)).keySet());
        assertEquals(Map.of(), hops("in", "out").follow(Set.of(), Set.of(vip)));
    }

    @Test
    void aRealOfTheDirectorsOwnIsNone() {
        assertEquals(
                Map.of(ip("10.6.0.2"), "it is an address of this director"),
                hops("in").follow(Set.of(ip("10.6.0.2")), Set.of()));
    }
}
