// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.InterfaceAddress;
import io.l4lb.netlink.route.Link;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The director's own address of each family: what the kernel sends from to the first real that it has a route to, else by
 * its default route, else the first address of an interface that is up. For one thread.
 */
final class DirectorAddresses implements AutoCloseable {
    /** Nobody's, so that the default route counts: RFC 7600's dummy address, and the first global unicast one. */
    private static final List<InetAddress> BY_DEFAULT =
            List.of(AddressText.parse("192.0.0.8"), AddressText.parse("2000::"));

    private static final Comparator<InetAddress> BY_BYTES =
            (one, other) -> Arrays.compareUnsigned(one.getAddress(), other.getAddress());

    private final RouteTable table;
    private List<InetAddress> destinations = BY_DEFAULT;

    private DirectorAddresses(RouteTable table) {
        this.table = table;
    }

    static DirectorAddresses open() {
        return new DirectorAddresses(RouteTable.open());
    }

    void towards(Collection<InetAddress> reals) {
        destinations = Stream.concat(reals.stream().distinct().sorted(BY_BYTES), BY_DEFAULT.stream())
                .toList();
    }

    /** What may be it, best first; empty: it has none. */
    List<InetAddress> candidates(boolean ipv4) {
        try {
            Stream<InetAddress> ways = destinations.stream()
                    .filter(each -> each instanceof Inet4Address == ipv4)
                    .flatMap(each -> table.routeTo(each).stream())
                    .filter(route -> !route.local())
                    .flatMap(route -> source(route, ipv4).stream());
            return Stream.concat(ways, ofInterfaces(ipv4)).distinct().toList();
        } catch (NetlinkException e) {
            throw new DataplaneException("cannot find the director's own address: " + e.getMessage(), e);
        }
    }

    boolean loopbackIsUp() {
        return table.link("lo").filter(Link::up).isPresent();
    }

    /** Where no interface has an address of the family the kernel says ::1; for an IPv4 route by IPv6 it may say nothing. */
    private static Optional<InetAddress> source(Route route, boolean ipv4) {
        return route.preferredSource()
                .filter(source -> source instanceof Inet4Address == ipv4)
                .filter(source ->
                        !source.isAnyLocalAddress() && !source.isLoopbackAddress() && !source.isLinkLocalAddress());
    }

    private Stream<InetAddress> ofInterfaces(boolean ipv4) {
        return table.links().stream()
                .filter(Link::up)
                .flatMap(link -> table.addresses(link.index()).stream())
                .filter(each -> each.scope() == InterfaceAddress.SCOPE_GLOBAL && !each.tentative())
                .map(InterfaceAddress::address)
                .filter(each -> each instanceof Inet4Address == ipv4);
    }

    @Override
    public void close() {
        table.close();
    }
}
