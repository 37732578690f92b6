// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A director between two networks: by {@code in} packets come from clients behind a router, by {@code out} the reals are
 * reached, both on that link and behind a second router.
 */
final class TwoLinkLab implements AutoCloseable {
    static final String DIRECTOR = "director";
    static final String FRONT = "front";
    static final String BACK = "back";
    static final String DIRECTOR_IN_MAC = "02:00:00:00:02:02";
    static final String DIRECTOR_OUT_MAC = "02:00:00:00:06:02";
    static final String FRONT_MAC = "02:00:00:00:02:01";
    static final String BACK_MAC = "02:00:00:00:06:01";

    private final Namespaces namespaces = new Namespaces();

    /**
     * Builds it, or skips the test.
     *
     * @return the name of the director's namespace
     */
    String build() {
        Machine.needNetworkNamespaces();
        namespaces.make(FRONT);
        namespaces.make(DIRECTOR);
        namespaces.make(BACK);
        namespaces.connect(DIRECTOR, "in", FRONT, "front0");
        namespaces.batch(FRONT, """
                link set front0 address %s
                addr add 10.2.0.1/24 dev front0
                addr add fd00:2::1/64 dev front0 nodad
                """.formatted(FRONT_MAC));
        namespaces.batch(DIRECTOR, """
                link set in address %s
                addr add 10.2.0.2/24 dev in
                addr add fd00:2::2/64 dev in nodad
                route add default via 10.2.0.1
                route add default via fd00:2::1
                """.formatted(DIRECTOR_IN_MAC));
        connectBack();
        return namespaces.name(DIRECTOR);
    }

    /** The link to the reals, with all that belongs to it. */
    void connectBack() {
        namespaces.connect(DIRECTOR, "out", BACK, "back0");
        namespaces.batch(BACK, """
                link set back0 address %s
                addr add 10.6.0.1/24 dev back0
                addr add 10.6.0.9/24 dev back0
                addr add fd00:6::1/64 dev back0 nodad
                """.formatted(BACK_MAC));
        namespaces.ip(DIRECTOR, "link set out address " + DIRECTOR_OUT_MAC);
        namespaces.batch(DIRECTOR, """
                addr add 10.6.0.2/24 dev out
                addr add fd00:6::2/64 dev out nodad
                """);
        routes();
    }

    /** The director's routes to the reals behind the second router. */
    void routes() {
        director("route add 10.3.0.0/24 via 10.6.0.1");
        director("route add fd00:3::/64 via fd00:6::1");
    }

    /** Runs ip(8) on the director. */
    String director(String arguments) {
        return namespaces.ip(DIRECTOR, arguments);
    }

    /** Runs ip(8) on the router of the reals. */
    String back(String arguments) {
        return namespaces.ip(BACK, arguments);
    }

    /** Sets a kernel variable on the director. */
    void sysctl(String setting) {
        namespaces.exec(DIRECTOR, "sysctl -qw " + setting);
    }

    /** The index of one of the director's interfaces, in its namespace. */
    static int index(RouteTable routes, String name) {
        return routes.link(name).orElseThrow().index();
    }

    /** By which next hops are looked for, in the director's namespace. */
    static NextHopRules rules(RouteTable routes, boolean fib, String... ingress) {
        Set<Integer> indexes = new HashSet<>();
        for (String name : ingress) {
            indexes.add(index(routes, name));
        }
        Optional<InetAddress> kernels = Optional.empty();
        return new NextHopRules(indexes, fib, kernels, kernels);
    }

    @Override
    public void close() {
        namespaces.close();
    }
}
