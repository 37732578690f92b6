// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A director (10.1.0.2, fd00:1::2 on up0) and its gateway (.1), each in a namespace, seen through the real kernel. */
@Tag("kernel")
@Timeout(120)
class RouteTableKernelTest {
    private static final String DIRECTOR = "director";
    private static final String GATEWAY = "gateway";
    private static final MacAddress GATEWAY_MAC = MacAddress.parse("02:00:00:00:01:01");
    private static final MacAddress DIRECTOR_MAC = MacAddress.parse("02:00:00:00:01:02");

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @AutoClose
    private RouteTable table;

    @BeforeEach
    void connect() throws Exception {
        Machine.needNetworkNamespaces();
        namespaces.make(DIRECTOR);
        namespaces.make(GATEWAY);
        namespaces.ip(
                DIRECTOR,
                "link add up0 address " + DIRECTOR_MAC + " mtu 1600 type veth peer name up0 address " + GATEWAY_MAC
                        + " netns " + namespaces.name(GATEWAY));
        namespaces.batch(GATEWAY, """
                addr add 10.1.0.1/24 dev up0
                addr add fd00:1::1/64 dev up0 nodad
                link set up0 up
                """);
        namespaces.batch(DIRECTOR, """
                addr add 10.1.0.2/24 dev up0
                addr add fd00:1::2/64 dev up0 nodad
                link set up0 up
                route add default via 10.1.0.1
                route add default via fd00:1::1
                """);
        table = inDirector(RouteTable::open);
    }

    private <T> T inDirector(Callable<T> code) throws Exception {
        return ThreadContext.inNamespace(namespaces.name(DIRECTOR), code);
    }

    @Test
    void routes() {
        int up0 = up0();
        assertEquals(route(up0, "10.1.0.1", "10.1.0.2"), table.routeTo(ip("203.0.113.9")));
        assertEquals(route(up0, "fd00:1::1", "fd00:1::2"), table.routeTo(ip("2001:db8::9")));
        Route onLink = table.routeTo(ip("10.1.0.1")).orElseThrow();
        assertEquals(Optional.empty(), onLink.gateway());
        assertEquals(ip("10.1.0.1"), onLink.nextHop(ip("10.1.0.1")));
        assertTrue(table.routeTo(ip("10.1.0.2")).orElseThrow().local());
        assertTrue(table.routeTo(ip("fd00:1::2")).orElseThrow().local());
    }

    @Test
    void routesThatLeadNowhere() {
        namespaces.batch(DIRECTOR, """
                route add blackhole 198.51.100.0/26
                route add prohibit 198.51.100.64/26
                route add unreachable 198.51.100.128/26
                route add blackhole fd00:9::/64
                route add prohibit fd00:a::/64
                route add unreachable fd00:b::/64
                """);
        for (String address :
                List.of("198.51.100.1", "198.51.100.65", "198.51.100.129", "fd00:9::1", "fd00:a::1", "fd00:b::1")) {
            assertEquals(Optional.empty(), table.routeTo(ip(address)), address);
        }
        namespaces.batch(DIRECTOR, """
                route del default via 10.1.0.1
                route del default via fd00:1::1
                """);
        assertEquals(Optional.empty(), table.routeTo(ip("203.0.113.9")));
        assertEquals(Optional.empty(), table.routeTo(ip("2001:db8::9")));
    }

    @Test
    void gatewayOfTheOtherFamily() {
        namespaces.ip(DIRECTOR, "route add 192.0.2.0/24 via inet6 fd00:1::1 dev up0");
        assertEquals(route(up0(), "fd00:1::1", "10.1.0.2"), table.routeTo(ip("192.0.2.1")));
    }

    @Test
    void neighborsAreResolved() throws Exception {
        try (RouteMonitor monitor = inDirector(RouteMonitor::open)) {
            for (String address : List.of("10.1.0.1", "fd00:1::1")) {
                assertEquals(Optional.empty(), table.neighbor(up0(), ip(address)), address);
                table.resolve(up0(), ip(address));
                Neighbor found = await(monitor, address);
                assertEquals(GATEWAY_MAC, found.mac());
                assertEquals(ip(address), found.address());
                table.resolve(up0(), ip(address));
                assertEquals(
                        GATEWAY_MAC,
                        table.neighbor(up0(), ip(address)).orElseThrow().mac());
            }
        }
    }

    @Test
    void waysOfMultipathRoutes() {
        namespaces.batch(DIRECTOR, """
                route add 192.0.2.0/24 nexthop via 10.1.0.1 nexthop via 10.1.0.3
                route add 2001:db8:9::/64 nexthop via fd00:1::1 nexthop via fd00:1::3
                route add blackhole 198.51.100.0/24
                """);
        assertEquals(Set.of(by("10.1.0.1"), by("10.1.0.3")), Set.copyOf(table.hops(ip("192.0.2.1"))));
        assertEquals(Set.of(by("fd00:1::1"), by("fd00:1::3")), Set.copyOf(table.hops(ip("2001:db8:9::1"))));
        assertEquals(List.of(by("10.1.0.1")), table.hops(ip("203.0.113.9")));
        assertEquals(List.of(new RouteHop(up0(), Optional.empty())), table.hops(ip("10.1.0.77")));
        assertEquals(List.of(new RouteHop(up0(), Optional.empty())), table.hops(ip("fd00:1::77")));
        assertEquals(List.of(), table.hops(ip("10.1.0.2")));
        assertEquals(List.of(), table.hops(ip("198.51.100.1")));
        namespaces.ip(DIRECTOR, "link set up0 down");
        assertEquals(List.of(), table.hops(ip("192.0.2.1")));
    }

    @Test
    void neighborsAreKept() throws Exception {
        try (RouteMonitor monitor = inDirector(RouteMonitor::open)) {
            table.keep(up0(), ip("10.1.0.1"));
            table.keep(up0(), ip("fd00:1::1"));
            await(monitor, "10.1.0.1");
            await(monitor, "fd00:1::1");
        }
        KeptNeighbor ipv4 = new KeptNeighbor(up0(), ip("10.1.0.1"));
        KeptNeighbor ipv6 = new KeptNeighbor(up0(), ip("fd00:1::1"));
        assertEquals(List.of(ipv4, ipv6), table.kept());
        namespaces.ip(DIRECTOR, "neigh add 10.1.0.77 lladdr 02:00:00:00:00:77 dev up0");
        table.keep(up0(), ip("10.1.0.77"));
        table.release(ipv4);
        assertEquals(List.of(ipv6), table.kept());
        assertEquals(
                GATEWAY_MAC, table.neighbor(up0(), ip("10.1.0.1")).orElseThrow().mac());
    }

    /** Another MAC that does not announce itself is found out by the kernel alone. */
    @Test
    void aKeptNeighborIsFollowed() throws Exception {
        namespaces.exec(DIRECTOR, "sysctl -qw net.ipv4.neigh.up0.base_reachable_time_ms=500");
        try (RouteMonitor monitor = inDirector(RouteMonitor::open)) {
            table.keep(up0(), ip("10.1.0.1"));
            assertEquals(GATEWAY_MAC, await(monitor, "10.1.0.1").mac());
            namespaces.ip(GATEWAY, "link set up0 address 02:00:00:00:01:77");
            MacAddress other = MacAddress.parse("02:00:00:00:01:77");
            Instant bound = Instant.now().plusSeconds(60);
            while (Instant.now().isBefore(bound)
                    && !await(monitor, "10.1.0.1").mac().equals(other)) {
                monitor.awaitChange(Duration.ofSeconds(1));
            }
            assertEquals(other, await(monitor, "10.1.0.1").mac());
        }
    }

    @Test
    void forwardingOfOneInterfaceAndFamily() {
        assertFalse(table.forwards(up0(), true));
        namespaces.exec(DIRECTOR, "sysctl -qw net.ipv4.conf.up0.forwarding=1");
        assertTrue(table.forwards(up0(), true));
        assertFalse(table.forwards(up0(), false));
        namespaces.exec(DIRECTOR, "sysctl -qw net.ipv6.conf.up0.forwarding=1");
        assertTrue(table.forwards(up0(), false));
        assertFalse(table.forwards(987_654, true));
    }

    private RouteHop by(String gateway) {
        return new RouteHop(up0(), Optional.of(ip(gateway)));
    }

    @Test
    void neighborThatDoesNotAnswerIsNotUsable() {
        table.resolve(up0(), ip("10.1.0.99"));
        assertEquals(Optional.empty(), table.neighbor(up0(), ip("10.1.0.99")));
    }

    @Test
    void configuredNeighborSurvivesResolve() {
        namespaces.batch(DIRECTOR, """
                neigh add 10.1.0.77 lladdr 02:00:00:00:00:77 dev up0
                neigh add fd00:1::77 lladdr 02:00:00:00:00:78 dev up0 nud noarp
                """);
        table.resolve(up0(), ip("10.1.0.77"));
        table.resolve(up0(), ip("fd00:1::77"));
        assertEquals(
                Optional.of(
                        new Neighbor(ip("10.1.0.77"), MacAddress.parse("02:00:00:00:00:77"), Neighbor.State.PERMANENT)),
                table.neighbor(up0(), ip("10.1.0.77")));
        assertEquals(
                Optional.of(
                        new Neighbor(ip("fd00:1::77"), MacAddress.parse("02:00:00:00:00:78"), Neighbor.State.NOARP)),
                table.neighbor(up0(), ip("fd00:1::77")));
    }

    @Test
    void links() {
        Link up0 = new Link(up0(), "up0", Optional.of(DIRECTOR_MAC), 1600, true, true);
        assertEquals(Optional.of(up0), table.link(up0.index()));
        assertEquals(
                List.of("lo", "up0"), table.links().stream().map(Link::name).toList());
        assertEquals(Optional.empty(), table.link("absent"));
        assertEquals(Optional.empty(), table.link(987_654));
        namespaces.ip(GATEWAY, "link set up0 down");
        assertFalse(table.link("up0").orElseThrow().carrier());
        namespaces.ip(DIRECTOR, "link set up0 down");
        assertFalse(table.link("up0").orElseThrow().up());
    }

    @Test
    void addressesOfOneInterface() {
        List<InterfaceAddress> addresses = table.addresses(up0());
        assertTrue(addresses.contains(new InterfaceAddress(ip("10.1.0.2"), 24, InterfaceAddress.SCOPE_GLOBAL, false)));
        assertTrue(addresses.contains(new InterfaceAddress(ip("fd00:1::2"), 64, InterfaceAddress.SCOPE_GLOBAL, false)));
        assertFalse(addresses.stream().anyMatch(each -> each.address().isLoopbackAddress()));
    }

    @Test
    void dumpOfThousands() {
        StringBuilder commands = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            commands.append("addr add 10.2.%d.%d/32 dev lo\n".formatted(i / 250, 1 + i % 250));
        }
        namespaces.batch(DIRECTOR, commands.toString());
        assertEquals(
                3002, table.addresses(table.link("lo").orElseThrow().index()).size());
    }

    private Neighbor await(RouteMonitor monitor, String address) {
        Instant bound = Instant.now().plusSeconds(30);
        Optional<Neighbor> found = table.neighbor(up0(), ip(address));
        while (found.isEmpty() && Instant.now().isBefore(bound)) {
            monitor.awaitChange(Duration.ofSeconds(30));
            found = table.neighbor(up0(), ip(address));
        }
        return found.orElseThrow();
    }

    private int up0() {
        return table.link("up0").orElseThrow().index();
    }

    private static Optional<Route> route(int interfaceIndex, String gateway, String source) {
        return Optional.of(new Route(interfaceIndex, Optional.of(ip(gateway)), Optional.of(ip(source)), false));
    }
}
