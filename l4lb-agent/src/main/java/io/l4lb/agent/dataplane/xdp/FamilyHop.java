// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The one gateway through which all reals of a family are reached. It stays while any real's route has it, else it is
 * the one that most have; what was once known of it is kept while the kernel knows nothing better. For one thread.
 */
final class FamilyHop {
    private final RouteTable routes;
    private final int interfaceIndex;
    private NextHop hop;
    private Optional<InetAddress> gateway = Optional.empty();

    /**
     * A next hop.
     *
     * @param hop what is known at the start
     */
    FamilyHop(RouteTable routes, int interfaceIndex, NextHop hop) {
        this.routes = routes;
        this.interfaceIndex = interfaceIndex;
        this.hop = hop;
    }

    NextHop hop() {
        return hop;
    }

    /**
     * Asks the kernel again.
     *
     * @param reals of this family
     * @param problems gets, by real, why packets cannot be sent to it
     */
    void follow(Collection<InetAddress> reals, Map<InetAddress, String> problems) {
        Map<InetAddress, Route> usable = new LinkedHashMap<>();
        for (InetAddress real : reals) {
            Optional<Route> route = routes.routeTo(real);
            String problem = route.map(this::problem).orElse(hop.known() ? "" : "no route to it");
            if (!problem.isEmpty()) {
                problems.put(real, problem);
            } else {
                route.ifPresent(found -> usable.put(real, found));
            }
        }
        choose(usable.values());
        usable.forEach((real, route) -> {
            if (!route.gateway().equals(gateway)) {
                problems.put(real, "its gateway is " + text(route.gateway()) + ", the others' is " + text(gateway));
            }
        });
        for (InetAddress real : reals) {
            if (!problems.containsKey(real) && !hop.known()) {
                problems.put(real, "the gateway's MAC address is not known yet");
            }
        }
    }

    private String problem(Route route) {
        if (route.interfaceIndex() != interfaceIndex) {
            return "its route leaves through another interface";
        }
        return route.gateway().isPresent()
                ? ""
                : "it is on the director's own link; next-hop \"gateway\" needs a router in between";
    }

    private void choose(Collection<Route> usable) {
        Map<InetAddress, Integer> votes = new LinkedHashMap<>();
        for (Route route : usable) {
            route.gateway().ifPresent(address -> votes.merge(address, 1, Integer::sum));
        }
        Optional<InetAddress> chosen = gateway.filter(votes::containsKey).or(() -> votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey));
        if (chosen.isEmpty()) {
            return; // no route: what is known is kept
        }
        gateway = chosen;
        Optional<InetAddress> source = usable.stream()
                .filter(route -> route.gateway().equals(chosen))
                .flatMap(route -> route.preferredSource().stream())
                .findFirst();
        resolve(chosen.get(), source);
    }

    private void resolve(InetAddress address, Optional<InetAddress> source) {
        Optional<byte[]> mac = routes.neighbor(interfaceIndex, address)
                .map(neighbor -> neighbor.mac().toBytes());
        if (mac.isEmpty()) {
            routes.resolve(interfaceIndex, address);
        }
        hop = new NextHop(source.or(hop::source), mac.or(hop::gateway));
    }

    private static String text(Optional<InetAddress> address) {
        return address.map(IpText::of).orElse("none");
    }
}
