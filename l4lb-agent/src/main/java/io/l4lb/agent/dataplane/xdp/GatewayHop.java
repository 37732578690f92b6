// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteHop;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The one gateway through which all reals of a family are reached. It stays while any real's route has it and its link
 * works, else it is the one that most have; what was once known of it is kept while the kernel knows nothing better.
 */
final class GatewayHop implements FamilyHop {
    private final Ways ways;
    private final Optional<InetAddress> fixedSource;
    private NextHop hop;
    private Optional<RouteHop> gateway = Optional.empty();

    /**
     * A next hop.
     *
     * @param fixedSource the outer source, if it is not to be the one that the kernel would use
     * @param hop what is known at the start
     */
    GatewayHop(Ways ways, Optional<InetAddress> fixedSource, NextHop hop) {
        this.ways = ways;
        this.fixedSource = fixedSource;
        this.hop = new NextHop(fixedSource.or(hop::source), hop.gateway(), hop.egress());
    }

    @Override
    public NextHop hop() {
        return hop;
    }

    @Override
    public Map<InetAddress, Integer> follow(Collection<InetAddress> reals, Map<InetAddress, String> problems) {
        Map<InetAddress, List<RouteHop>> usable = new LinkedHashMap<>();
        for (InetAddress real : reals) {
            List<RouteHop> hops = ways.hops(real);
            String problem = problem(real, hops);
            if (!problem.isEmpty()) {
                problems.put(real, problem);
            } else if (!hops.isEmpty()) {
                usable.put(real, hops.stream().filter(this::works).toList());
            }
        }
        choose(usable);
        usable.forEach((real, hops) -> {
            if (gateway.filter(hops::contains).isEmpty()) {
                String others = gateway.map(this::text).orElse("not known");
                problems.put(real, "its gateway is " + text(hops.get(0)) + ", the others' is " + others);
            }
        });
        if (!hop.known()) {
            reals.forEach(real -> problems.putIfAbsent(real, unknown()));
        }
        Map<InetAddress, Integer> interfaces = new HashMap<>();
        gateway.ifPresent(chosen -> reals.forEach(real -> interfaces.put(real, chosen.interfaceIndex())));
        return interfaces;
    }

    /** Empty: packets can be sent to it, perhaps because of what was known before. */
    private String problem(InetAddress real, List<RouteHop> hops) {
        if (hops.isEmpty()) {
            boolean local = ways.route(real).filter(Route::local).isPresent();
            return local ? "it is an address of this director" : withoutRoute();
        }
        if (hops.stream().allMatch(each -> each.gateway().isEmpty())) {
            return "it is on the director's own link: use next-hop \"fib\", \"gateway\" needs a router in between";
        }
        return hops.stream().anyMatch(this::works)
                ? ""
                : ways.linkProblem(hops.get(0).interfaceIndex());
    }

    private boolean works(RouteHop candidate) {
        return candidate.gateway().isPresent()
                && ways.linkProblem(candidate.interfaceIndex()).isEmpty();
    }

    /** A route may be gone for a moment, as while a routing daemon starts anew; an interface that is down is no way. */
    private String withoutRoute() {
        if (!hop.known()) {
            return "no route to it";
        }
        return gateway.map(RouteHop::interfaceIndex)
                .or(() -> hop.egress().map(Egress::interfaceIndex))
                .map(ways::linkProblem)
                .filter(problem -> !problem.isEmpty())
                .map(problem -> "no route to it: " + problem)
                .orElse("");
    }

    private String unknown() {
        return hop.source().isEmpty()
                ? "the director has no address to send to it from"
                : "the gateway's MAC address is not known yet";
    }

    private void choose(Map<InetAddress, List<RouteHop>> usable) {
        Map<RouteHop, Integer> votes = new LinkedHashMap<>();
        usable.values().forEach(hops -> hops.forEach(each -> votes.merge(each, 1, Integer::sum)));
        Optional<RouteHop> chosen = gateway.filter(votes::containsKey).or(() -> votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey));
        if (chosen.isPresent()) { // else there is no route, and what is known is kept
            gateway = chosen;
            resolve(chosen.get(), fixedSource.or(() -> source(usable, chosen.get())));
        }
    }

    /** What the kernel would send from, by that gateway if it takes that one of several. */
    private Optional<InetAddress> source(Map<InetAddress, List<RouteHop>> usable, RouteHop chosen) {
        return usable.entrySet().stream()
                .filter(entry -> entry.getValue().contains(chosen))
                .flatMap(entry -> ways.route(entry.getKey()).stream())
                .filter(route -> route.preferredSource().isPresent())
                .min(Comparator.comparing(route -> !takes(route, chosen)))
                .flatMap(Route::preferredSource);
    }

    private static boolean takes(Route route, RouteHop chosen) {
        return route.interfaceIndex() == chosen.interfaceIndex()
                && route.gateway().equals(chosen.gateway());
    }

    private void resolve(RouteHop chosen, Optional<InetAddress> source) {
        Optional<byte[]> mac =
                ways.mac(chosen.interfaceIndex(), chosen.gateway().orElseThrow());
        Optional<Egress> egress = mac.isPresent() ? ways.egress(chosen.interfaceIndex()) : hop.egress();
        hop = new NextHop(source.or(hop::source), mac.or(hop::gateway), egress);
    }

    private String text(RouteHop candidate) {
        return candidate.gateway().map(IpText::of).orElse("none") + " by " + ways.name(candidate.interfaceIndex());
    }
}
