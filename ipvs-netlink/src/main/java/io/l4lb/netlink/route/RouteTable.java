// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the kernel about routes, neighbours, links and addresses of the network namespace that the opening thread was in.
 * Used by one thread at a time. Every method throws {@link NetlinkException} for what is not an answer.
 */
public final class RouteTable implements AutoCloseable {
    private static final Set<String> NO_ROUTE =
            Set.of(Errno.ENETUNREACH.name(), Errno.EHOSTUNREACH.name(), Errno.EACCES.name());

    private final NetlinkSocket socket;

    private RouteTable(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static RouteTable open() {
        return over(NetlinkSocket.open(NetlinkProtocol.ROUTE));
    }

    /** Takes the socket over: closing this closes it. */
    public static RouteTable over(NetlinkSocket socket) {
        return new RouteTable(socket);
    }

    /** The way to a destination; empty if there is no route, or one that says unreachable, prohibit or blackhole. */
    public Optional<Route> routeTo(InetAddress destination) {
        String operation = "get route to " + destination.getHostAddress();
        try {
            return one(socket.request(operation, Route.GET, 0, Route.query(destination)), Route.NEW)
                    .map(Route::decode);
        } catch (NetlinkException failure) {
            // A blackhole route answers EINVAL, but without the words that the kernel has for a bad request.
            boolean blackhole = failure.is(Errno.EINVAL) && failure.detail().isEmpty();
            if (blackhole || NO_ROUTE.contains(failure.errno())) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /** The neighbour's entry if its MAC address is known and may be used; empty otherwise. */
    public Optional<Neighbor> neighbor(int interfaceIndex, InetAddress address) {
        String operation = "get neighbour " + address.getHostAddress() + " of interface " + interfaceIndex;
        return find(operation, Neighbor.GET, Neighbor.query(interfaceIndex, address), Neighbor.NEW, Errno.ENOENT)
                .flatMap(Neighbor::decode);
    }

    /**
     * Makes the kernel find out (or confirm) the neighbour's MAC address, as a packet to it would. Does not wait: the
     * answer shows in {@link #neighbor} and wakes a {@link RouteMonitor}. A configured entry is left alone.
     */
    public void resolve(int interfaceIndex, InetAddress address) {
        // Since Linux 5.16 NTF_USE strips the permanent state of an entry (__neigh_update in net/core/neighbour.c).
        if (neighbor(interfaceIndex, address)
                .filter(known -> known.state().isStatic())
                .isPresent()) {
            return;
        }
        socket.request(
                "resolve neighbour " + address.getHostAddress() + " of interface " + interfaceIndex,
                Neighbor.NEW,
                NetlinkMessage.FLAG_CREATE | NetlinkMessage.FLAG_REPLACE,
                Neighbor.use(interfaceIndex, address));
    }

    public List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (NetlinkMessage message : socket.dump("list links", Link.GET, Link.queryAll())) {
            if (message.type() == Link.NEW) {
                links.add(Link.decode(message));
            }
        }
        return List.copyOf(links);
    }

    public Optional<Link> link(String name) {
        return find("get link " + name, Link.GET, Link.query(name), Link.NEW, Errno.ENODEV)
                .map(Link::decode);
    }

    public Optional<Link> link(int index) {
        return find("get link " + index, Link.GET, Link.query(index), Link.NEW, Errno.ENODEV)
                .map(Link::decode);
    }

    /** The interface's IPv4 addresses, then its IPv6 addresses, each in the kernel's order. */
    public List<InterfaceAddress> addresses(int interfaceIndex) {
        String operation = "list addresses of interface " + interfaceIndex;
        List<InterfaceAddress> addresses = new ArrayList<>();
        for (AddressFamily family : AddressFamily.values()) {
            Octets query = InterfaceAddress.query(family, interfaceIndex);
            for (NetlinkMessage message : socket.dump(operation, InterfaceAddress.GET, query)) {
                InterfaceAddress.decode(message, family, interfaceIndex).ifPresent(addresses::add);
            }
        }
        return List.copyOf(addresses);
    }

    @Override
    public void close() {
        socket.close();
    }

    private Optional<NetlinkMessage> find(String operation, int type, Octets query, int answer, Errno absent) {
        try {
            return one(socket.request(operation, type, 0, query), answer);
        } catch (NetlinkException failure) {
            if (failure.is(absent)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static Optional<NetlinkMessage> one(List<NetlinkMessage> answers, int type) {
        return answers.stream().filter(answer -> answer.type() == type).findFirst();
    }
}
