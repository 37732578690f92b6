// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.test.Await;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host with 10.1.0.2 and fd00:1::2 on up0. */
@Tag("kernel")
@Timeout(120)
class LocalRoutesKernelTest {
    private static final String HOST = "host";
    private static final int PROTOCOL = 76;
    private static final LocalRoute IPV4 = new LocalRoute(ip("192.0.2.10"), PROTOCOL, Optional.of(ip("10.1.0.2")));
    private static final LocalRoute IPV6 = new LocalRoute(ip("2001:db8::10"), PROTOCOL, Optional.of(ip("fd00:1::2")));

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @AutoClose
    private LocalRoutes routes;

    @BeforeEach
    void connect() throws Exception {
        Machine.needNetworkNamespaces();
        namespaces.make(HOST);
        namespaces.batch(HOST, """
                link add up0 type veth peer name up1
                addr add 10.1.0.2/24 dev up0
                addr add 10.1.0.3/24 dev up0
                addr add fd00:1::2/64 dev up0 nodad
                link set up0 up
                link set up1 up
                """);
        routes = ThreadContext.inNamespace(namespaces.name(HOST), LocalRoutes::open);
    }

    @Test
    void addFindAndRemove() {
        for (LocalRoute route : List.of(IPV4, IPV6)) {
            assertEquals(Optional.empty(), routes.find(route.address()));
            assertFalse(routes.remove(route.address(), PROTOCOL));
            routes.add(route);
            assertEquals(Optional.of(route), routes.find(route.address()));
            assertEquals(List.of(route), routes.list(PROTOCOL));
            assertEquals("EEXIST", errorOf(() -> routes.add(route)));
            assertFalse(routes.remove(route.address(), LocalRoute.PROTOCOL_KERNEL));
            assertTrue(routes.remove(route.address(), PROTOCOL));
            assertEquals(List.of(), routes.list(PROTOCOL));
        }
    }

    @Test
    void ipShowsThem() {
        routes.add(IPV4);
        routes.add(IPV6);
        assertEquals(
                "local 192.0.2.10 dev lo scope host src 10.1.0.2",
                namespaces.ip(HOST, "route show table local proto 76").strip());
        assertTrue(namespaces
                .ip(HOST, "-6 route show table local proto 76")
                .startsWith("local 2001:db8::10 dev lo src fd00:1::2"));
    }

    @Test
    void replaceChangesTheSource() {
        routes.add(IPV4);
        LocalRoute other = new LocalRoute(ip("192.0.2.10"), PROTOCOL, Optional.of(ip("10.1.0.3")));
        routes.replace(other);
        assertEquals(List.of(other), routes.list(PROTOCOL));
        routes.replace(IPV6);
        routes.replace(IPV6);
        assertEquals(List.of(other, IPV6), routes.list(PROTOCOL));
    }

    @Test
    void addressesOfInterfacesAreTheKernels() {
        // The kernel makes that of an IPv6 address a little after the address.
        Await.await("both routes", () -> Stream.of("10.1.0.2", "fd00:1::2", "::1")
                .allMatch(address -> routes.find(ip(address)).isPresent()));
        assertEquals(
                LocalRoute.PROTOCOL_KERNEL,
                routes.find(ip("10.1.0.2")).orElseThrow().protocol());
        assertEquals(
                LocalRoute.PROTOCOL_KERNEL,
                routes.find(ip("fd00:1::2")).orElseThrow().protocol());
        List<LocalRoute> all = routes.list();
        assertTrue(Set.copyOf(all.stream().map(LocalRoute::address).toList())
                .containsAll(List.of(ip("10.1.0.2"), ip("127.0.0.1"), ip("fd00:1::2"), ip("::1"))));
        namespaces.ip(HOST, "route add local 198.51.100.0/24 dev lo");
        assertEquals(Optional.empty(), routes.find(ip("198.51.100.7")));
        assertTrue(routes.list().stream().noneMatch(route -> route.address().equals(ip("198.51.100.0"))));
    }

    @Test
    void refusals() {
        assertEquals("EINVAL", errorOf(() -> routes.add(from("192.0.2.10", "10.9.9.9"))));
        assertEquals("EINVAL", errorOf(() -> routes.add(from("2001:db8::10", "fd00:9::9"))));
    }

    @Test
    void thousands() {
        List<LocalRoute> many = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            many.add(from("10.2." + i / 250 + "." + (1 + i % 250), "10.1.0.2"));
        }
        many.forEach(routes::add);
        assertEquals(many, routes.list(PROTOCOL));
    }

    private static LocalRoute from(String address, String source) {
        return new LocalRoute(ip(address), PROTOCOL, Optional.of(ip(source)));
    }

    private static String errorOf(Runnable work) {
        return assertThrows(NetlinkException.class, work::run).errno();
    }
}
