// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The gateway through which the reals of each family are reached, from the kernel's routes and neighbours. All reals
 * of a family have to share it. What was once known is kept while the kernel knows nothing better. For one thread.
 */
final class NextHops {
    private final RouteTable routes;
    private final int interfaceIndex;
    private NextHop ipv4;
    private NextHop ipv6;

    /**
     * Next hops.
     *
     * @param ipv4 what is known at the start
     * @param ipv6 what is known at the start
     */
    NextHops(RouteTable routes, int interfaceIndex, NextHop ipv4, NextHop ipv6) {
        this.routes = routes;
        this.interfaceIndex = interfaceIndex;
        this.ipv4 = ipv4;
        this.ipv6 = ipv6;
    }

    NextHop ipv4() {
        return ipv4;
    }

    NextHop ipv6() {
        return ipv6;
    }

    /** Asks the kernel again; returns why packets cannot be sent to a real, by real. */
    Map<InetAddress, String> follow(Set<InetAddress> reals) {
        Map<InetAddress, String> problems = new LinkedHashMap<>();
        Map<Boolean, InetAddress> gateways = new HashMap<>();
        for (InetAddress real : reals) {
            boolean isIpv4 = real instanceof Inet4Address;
            problem(real, isIpv4, gateways).ifPresent(reason -> problems.put(real, reason));
        }
        for (InetAddress real : reals) {
            NextHop hop = real instanceof Inet4Address ? ipv4 : ipv6;
            if (!problems.containsKey(real) && !hop.known()) {
                problems.put(real, "the gateway's MAC address is not known yet");
            }
        }
        return problems;
    }

    private Optional<String> problem(InetAddress real, boolean isIpv4, Map<Boolean, InetAddress> gateways) {
        Optional<Route> route = routes.routeTo(real);
        if (route.isEmpty()) {
            return (isIpv4 ? ipv4 : ipv6).known() ? Optional.empty() : Optional.of("no route to it");
        }
        if (route.get().interfaceIndex() != interfaceIndex) {
            return Optional.of("its route leaves through another interface");
        }
        Optional<InetAddress> gateway = route.get().gateway();
        if (gateway.isEmpty()) {
            return Optional.of("it is on the director's own link; next-hop \"gateway\" needs a router in between");
        }
        InetAddress first = gateways.putIfAbsent(isIpv4, gateway.get());
        if (first == null) {
            resolve(gateway.get(), route.get().preferredSource(), isIpv4);
        } else if (!first.equals(gateway.get())) {
            return Optional.of(
                    "its gateway is " + gateway.get().getHostAddress() + ", others' is " + first.getHostAddress());
        }
        return Optional.empty();
    }

    private void resolve(InetAddress gateway, Optional<InetAddress> source, boolean isIpv4) {
        Optional<byte[]> mac = routes.neighbor(interfaceIndex, gateway)
                .map(neighbor -> neighbor.mac().toBytes());
        if (mac.isEmpty()) {
            routes.resolve(interfaceIndex, gateway);
        }
        NextHop previous = isIpv4 ? ipv4 : ipv6;
        NextHop hop = new NextHop(source.or(previous::source), mac.or(previous::gateway));
        if (isIpv4) {
            ipv4 = hop;
        } else {
            ipv6 = hop;
        }
    }
}
