// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkSocket;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes addresses the host's own by routes in the table local, of the network namespace that the opening thread was in.
 * Used by one thread at a time. Every method throws {@link NetlinkException} for what is not an answer.
 */
public final class LocalRoutes implements AutoCloseable {
    /** What the kernel says of a family that it has not: no such table, or no such family. */
    private static final Set<String> NO_FAMILY =
            Set.of(Errno.ENOENT.name(), Errno.EAFNOSUPPORT.name(), Errno.EOPNOTSUPP.name());

    /** What the kernel says if there is no way, or one that leads nowhere. */
    private static final Set<String> NO_ROUTE =
            Set.of(Errno.ENETUNREACH.name(), Errno.EHOSTUNREACH.name(), Errno.EACCES.name(), Errno.EINVAL.name());

    private final NetlinkSocket socket;

    private LocalRoutes(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static LocalRoutes open() {
        return over(NetlinkSocket.open(NetlinkProtocol.ROUTE));
    }

    /** Takes the socket over: closing this closes it. */
    public static LocalRoutes over(NetlinkSocket socket) {
        return new LocalRoutes(socket);
    }

    /** All addresses that are the host's own, by any protocol: IPv4, then IPv6. One of several protocols is there as often. */
    public List<LocalRoute> list() {
        return list(0);
    }

    /** The same of those that one protocol has made. */
    public List<LocalRoute> list(int protocol) {
        List<LocalRoute> routes = new ArrayList<>();
        for (AddressFamily family : AddressFamily.values()) {
            for (NetlinkMessage message : dump(family, protocol)) {
                if (message.type() == Route.NEW) {
                    LocalRoute.decode(message)
                            .filter(route -> protocol == 0 || route.protocol() == protocol)
                            .filter(route -> AddressFamily.of(route.address()) == family)
                            .ifPresent(routes::add);
                }
            }
        }
        return List.copyOf(routes);
    }

    private List<NetlinkMessage> dump(AddressFamily family, int protocol) {
        try {
            return socket.dump("list local routes", Route.GET, LocalRoute.queryAll(family, protocol));
        } catch (NetlinkException failure) {
            if (NO_FAMILY.contains(failure.errno())) {
                return List.of();
            }
            throw failure;
        }
    }

    /** The route of exactly this address that packets to it follow; empty if it is not the host's, or only by a wider route. */
    public Optional<LocalRoute> find(InetAddress address) {
        try {
            return socket
                    .request("get route to " + address.getHostAddress(), Route.GET, 0, RouteHop.query(address))
                    .stream()
                    .filter(answer -> answer.type() == Route.NEW)
                    .findFirst()
                    .flatMap(LocalRoute::decode);
        } catch (NetlinkException failure) {
            if (NO_ROUTE.contains(failure.errno()) || NO_FAMILY.contains(failure.errno())) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /**
     * Makes it.
     *
     * @throws NetlinkException EEXIST: there is one for the address; EINVAL: the preferred source is not an address of
     *     the host
     */
    public void add(LocalRoute route) {
        put("add", route, NetlinkMessage.FLAG_CREATE | NetlinkMessage.FLAG_EXCLUSIVE);
    }

    /** Makes it in the place of the one that there is for the address, at once; makes it if there is none. */
    public void replace(LocalRoute route) {
        put("replace", route, NetlinkMessage.FLAG_CREATE | NetlinkMessage.FLAG_REPLACE);
    }

    private void put(String what, LocalRoute route, int flags) {
        String operation = what + " local route " + route.address().getHostAddress();
        socket.request(operation, Route.NEW, flags, route.encode());
    }

    /** Removes what a protocol has made for an address; false if there was nothing. */
    public boolean remove(InetAddress address, int protocol) {
        String operation = "remove local route " + address.getHostAddress();
        try {
            socket.request(operation, LocalRoute.DELETE, 0, LocalRoute.encodeDelete(address, protocol));
            return true;
        } catch (NetlinkException failure) {
            if (failure.is(Errno.ESRCH) || NO_FAMILY.contains(failure.errno())) {
                return false;
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
