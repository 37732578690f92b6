// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
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
        return route(destination, Route.query(destination)).map(Route::decode);
    }

    /**
     * All ways to a destination that a packet may take: one for most routes, several of a multipath route. None if there is
     * no route, or one that leads nowhere, or to this host.
     */
    public List<RouteHop> hops(InetAddress destination) {
        return route(destination, RouteHop.query(destination))
                .map(RouteHop::decode)
                .orElse(List.of());
    }

    private Optional<NetlinkMessage> route(InetAddress destination, Octets query) {
        try {
            return one(socket.request("get route to " + destination.getHostAddress(), Route.GET, 0, query), Route.NEW);
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
        return entry(interfaceIndex, address).flatMap(Neighbor::decode);
    }

    private Optional<NetlinkMessage> entry(int interfaceIndex, InetAddress address) {
        String operation = "get neighbour " + address.getHostAddress() + " of interface " + interfaceIndex;
        Octets query = Neighbor.query(interfaceIndex, address);
        return find(operation, Neighbor.GET, query, Neighbor.NEW, Errno.ENOENT, Errno.ENODEV);
    }

    /**
     * Makes the kernel find out (or confirm) the neighbour's MAC address, as a packet to it would. Does not wait: the
     * answer shows in {@link #neighbor} and wakes a {@link RouteMonitor}. A configured entry is left alone.
     */
    public void resolve(int interfaceIndex, InetAddress address) {
        if (!isStatic(entry(interfaceIndex, address))) {
            change("resolve", interfaceIndex, address, Neighbor.use(interfaceIndex, address));
        }
    }

    /**
     * Makes the kernel find out the neighbour's MAC address and confirm it every few seconds, with or without packets to
     * it and whether or not this program goes on, until {@link #release} or until the link goes down. Does not wait, and
     * changes nothing if the entry is kept already, or was configured. Kernels before 5.16 cannot do that: there it is
     * the same as {@link #resolve}.
     */
    public void keep(int interfaceIndex, InetAddress address) {
        Optional<NetlinkMessage> entry = entry(interfaceIndex, address);
        if (!isStatic(entry) && entry.filter(Neighbor::isManaged).isEmpty()) {
            change("keep", interfaceIndex, address, Neighbor.keep(interfaceIndex, address));
        }
    }

    /** Takes {@link #keep} back; the entry stays and gets old. What others had kept is left alone. */
    public void release(KeptNeighbor neighbor) {
        boolean kept = entry(neighbor.interfaceIndex(), neighbor.address())
                .flatMap(Neighbor::decodeKept)
                .isPresent();
        if (kept) {
            Octets withoutFlag = Neighbor.use(neighbor.interfaceIndex(), neighbor.address());
            change("release", neighbor.interfaceIndex(), neighbor.address(), withoutFlag);
        }
    }

    /** All neighbours that {@link #keep} had the kernel keep, also those of a program before this one. */
    public List<KeptNeighbor> kept() {
        List<KeptNeighbor> kept = new ArrayList<>();
        for (AddressFamily family : AddressFamily.values()) {
            for (NetlinkMessage message : socket.dump("list neighbours", Neighbor.GET, Neighbor.queryAll(family))) {
                if (message.type() == Neighbor.NEW) {
                    Neighbor.decodeKept(message).ifPresent(kept::add);
                }
            }
        }
        return List.copyOf(kept);
    }

    // Since Linux 5.16 NTF_USE strips the permanent state of an entry (__neigh_update in net/core/neighbour.c).
    private static boolean isStatic(Optional<NetlinkMessage> entry) {
        return entry.flatMap(Neighbor::decode)
                .filter(known -> known.state().isStatic())
                .isPresent();
    }

    private void change(String what, int interfaceIndex, InetAddress address, Octets request) {
        String operation = what + " neighbour " + address.getHostAddress() + " of interface " + interfaceIndex;
        int flags = NetlinkMessage.FLAG_CREATE | NetlinkMessage.FLAG_REPLACE;
        // The interface may just have gone (ENODEV), or have lost that family (EINVAL): then it has no neighbours.
        find(operation, Neighbor.NEW, flags, request, Neighbor.NEW, Errno.ENODEV, Errno.EINVAL);
    }

    /**
     * Whether packets that come in by the interface may be forwarded, as {@code net.ipv4.conf.*.forwarding} or
     * {@code net.ipv6.conf.*.forwarding} says; false if the interface is gone, or has not that family.
     *
     * @param ipv4 of IPv4, else of IPv6
     */
    public boolean forwards(int interfaceIndex, boolean ipv4) {
        AddressFamily family = ipv4 ? AddressFamily.INET : AddressFamily.INET6;
        String operation = "get forwarding of interface " + interfaceIndex;
        Octets query = Netconf.query(family, interfaceIndex);
        return find(operation, Netconf.GET, query, Netconf.NEW, Errno.ENODEV)
                .filter(Netconf::forwarding)
                .isPresent();
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
        return message(index).map(Link::decode);
    }

    /** The interface whose tagged frames a VLAN interface sends and gets; empty if it is none. */
    public Optional<Integer> vlanParent(int index) {
        return message(index).flatMap(Link::decodeVlanParent);
    }

    private Optional<NetlinkMessage> message(int link) {
        return find("get link " + link, Link.GET, Link.query(link), Link.NEW, Errno.ENODEV);
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

    private Optional<NetlinkMessage> find(String operation, int type, Octets query, int answer, Errno... absent) {
        return find(operation, type, 0, query, answer, absent);
    }

    private Optional<NetlinkMessage> find(
            String operation, int type, int flags, Octets query, int answer, Errno... absent) {
        try {
            return one(socket.request(operation, type, flags, query), answer);
        } catch (NetlinkException failure) {
            if (Arrays.stream(absent).anyMatch(failure::is)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private static Optional<NetlinkMessage> one(List<NetlinkMessage> answers, int type) {
        return answers.stream().filter(answer -> answer.type() == type).findFirst();
    }
}
