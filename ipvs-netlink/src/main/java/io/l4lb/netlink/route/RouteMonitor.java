// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkTransport;
import java.time.Duration;
import java.util.List;

/**
 * Tells that links, addresses, routes, neighbours or forwarding have changed in the network namespace that the opening thread was in;
 * what is true now, a {@link RouteTable} tells. Open it before the first look, so that no change falls between. One thread
 * waits; any thread may close.
 *
 * <p>{@link RouteTable#resolve} changes an entry's state and so wakes it as well: resolve only what is not known. {@link RouteTable#keep} does not, where nothing changes.
 */
public final class RouteMonitor implements AutoCloseable {
    private static final int RTNLGRP_LINK = 1;
    private static final int RTNLGRP_NEIGH = 3;
    private static final int RTNLGRP_IPV4_IFADDR = 5;
    private static final int RTNLGRP_IPV4_ROUTE = 7;
    private static final int RTNLGRP_IPV6_IFADDR = 9;
    private static final int RTNLGRP_IPV6_ROUTE = 11;
    private static final int RTNLGRP_IPV4_NETCONF = 24;
    private static final int RTNLGRP_IPV6_NETCONF = 25;
    private static final List<Integer> GROUPS = List.of(
            RTNLGRP_LINK,
            RTNLGRP_NEIGH,
            RTNLGRP_IPV4_IFADDR,
            RTNLGRP_IPV4_ROUTE,
            RTNLGRP_IPV6_IFADDR,
            RTNLGRP_IPV6_ROUTE,
            RTNLGRP_IPV4_NETCONF,
            RTNLGRP_IPV6_NETCONF);
    /** So that a storm without end cannot keep the waiting thread from its work. */
    private static final int LARGEST_BURST = 10_000;

    private final NetlinkTransport transport;

    private RouteMonitor(NetlinkTransport transport) {
        this.transport = transport;
    }

    public static RouteMonitor open() {
        return over(NetlinkTransport.toKernel(NetlinkProtocol.ROUTE, GROUPS));
    }

    /** Takes the transport over: closing this closes it. */
    public static RouteMonitor over(NetlinkTransport transport) {
        return new RouteMonitor(transport);
    }

    /** True if something has changed since the last call; false when the time has passed or the monitor was closed. */
    public boolean awaitChange(Duration timeout) {
        if (!heard(timeout)) {
            return false;
        }
        int burst = 1;
        while (burst < LARGEST_BURST && heard(Duration.ZERO)) {
            burst++;
        }
        return true;
    }

    @Override
    public void close() {
        transport.close();
    }

    private boolean heard(Duration timeout) {
        try {
            return transport.receive(timeout).isPresent();
        } catch (NetlinkException failure) {
            if (failure.is(Errno.ENOBUFS)) {
                // The kernel had more to say than the socket held: something changed, and that is all we need.
                return true;
            }
            throw failure;
        }
    }
}
