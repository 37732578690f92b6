// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteHop;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program asks the kernel for the next hop of each packet (bpf_fib_lookup): any number of gateways, and reals on the
 * director's own links. What that needs is seen to here: the MAC address of every next hop, kept fresh, and a source.
 */
final class LookedUpHop implements FamilyHop {
    private final Ways ways;
    private final Optional<InetAddress> fixedSource;
    private NextHop hop;

    /**
     * A next hop.
     *
     * @param fixedSource the outer source, if it is not to be the one that the kernel would use
     * @param hop what is known at the start
     */
    LookedUpHop(Ways ways, Optional<InetAddress> fixedSource, NextHop hop) {
        this.ways = ways;
        this.fixedSource = fixedSource;
        this.hop = new NextHop(fixedSource.or(hop::source), hop.gateway(), hop.egress());
    }

    /** Its gateway is that of some real: the packet model needs one, the program looks for its own. */
    @Override
    public NextHop hop() {
        return hop;
    }

    @Override
    public Map<InetAddress, Integer> follow(Collection<InetAddress> reals, Map<InetAddress, String> problems) {
        Map<InetAddress, Integer> interfaces = new LinkedHashMap<>();
        Optional<NextHop> found = Optional.empty();
        for (InetAddress real : reals) {
            Optional<Route> route = ways.route(real);
            List<RouteHop> hops = ways.hops(real);
            route.filter(each -> !each.local()).ifPresent(each -> interfaces.put(real, each.interfaceIndex()));
            List<NextHop> known = known(real, hops, route.flatMap(Route::preferredSource));
            found = found.or(() -> known.stream().filter(NextHop::known).findFirst());
            String problem = known.isEmpty() ? problem(real, route, hops) : forwarding(real);
            if (!problem.isEmpty()) {
                problems.put(real, problem);
            }
        }
        hop = found.orElse(hop);
        if (hop.source().isEmpty()) {
            reals.forEach(real -> problems.putIfAbsent(real, "the director has no address to send to it from"));
        }
        return interfaces;
    }

    /** Of the ways to a real those that work now; the kernel may choose any of them. */
    private List<NextHop> known(InetAddress real, List<RouteHop> hops, Optional<InetAddress> source) {
        List<NextHop> known = new ArrayList<>();
        for (RouteHop candidate : hops) {
            int leaves = candidate.interfaceIndex();
            if (ways.linkProblem(leaves).isEmpty()) {
                ways.mac(leaves, candidate.nextHop(real))
                        .map(mac -> new NextHop(fixedSource.or(() -> source), Optional.of(mac), ways.egress(leaves)))
                        .ifPresent(known::add);
            }
        }
        return known;
    }

    private String problem(InetAddress real, Optional<Route> route, List<RouteHop> hops) {
        if (route.filter(Route::local).isPresent()) {
            return "it is an address of this director";
        }
        if (hops.isEmpty()) {
            return "no route to it";
        }
        String link = ways.linkProblem(hops.get(0).interfaceIndex());
        if (!link.isEmpty()) {
            return link;
        }
        return forwarding(real).isEmpty() ? withoutMac(hops.get(0)) : forwarding(real);
    }

    private String forwarding(InetAddress real) {
        return ways.forwardingProblem(real instanceof Inet4Address);
    }

    private static String withoutMac(RouteHop candidate) {
        return candidate
                .gateway()
                .map(gateway -> "the MAC address of its gateway " + IpText.of(gateway) + " is not known")
                .orElse("its MAC address is not known: it does not answer on the director's link");
    }
}
