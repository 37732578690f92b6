// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Where tunnels of both families go next, from the kernel's routes and neighbours. For one thread. */
final class NextHops {
    private final Ways ways;
    private final FamilyHop ipv4;
    private final FamilyHop ipv6;
    private Map<InetAddress, Integer> interfaces = Map.of();
    private List<String> notes = List.of();

    /**
     * Next hops.
     *
     * @param ipv4 what is known at the start
     * @param ipv6 what is known at the start
     */
    NextHops(RouteTable routes, NextHopRules rules, NextHop ipv4, NextHop ipv6) {
        this.ways = new Ways(routes, rules);
        this.ipv4 = family(rules.source4(), ipv4);
        this.ipv6 = family(rules.source6(), ipv6);
    }

    private FamilyHop family(Optional<InetAddress> source, NextHop known) {
        return ways.rules().fib() ? new LookedUpHop(ways, source, known) : new GatewayHop(ways, source, known);
    }

    NextHop ipv4() {
        return ipv4.hop();
    }

    NextHop ipv6() {
        return ipv6.hop();
    }

    /** The interface by which packets to a real leave, as it was when last followed; empty: none, or not known. */
    Optional<Integer> interfaceTo(InetAddress real) {
        return Optional.ofNullable(interfaces.get(real));
    }

    /** What the kernel is to be told before it finds ways to these reals for packets; empty: nothing. */
    Optional<String> obstacle(Set<InetAddress> reals) {
        ways.begin();
        return Optional.of(ways)
                .filter(each -> each.rules().fib())
                .map(each -> each.forwardingProblem(reals))
                .filter(problem -> !problem.isEmpty());
    }

    /** What an operator should know of the outer sources that were chosen for the kernel. */
    List<String> notes() {
        return notes;
    }

    /** Asks the kernel again; returns why packets cannot be sent to a real, or probes to a VIP, by address. */
    Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> vips) {
        Map<InetAddress, String> problems = new LinkedHashMap<>();
        ways.begin();
        Map<InetAddress, Integer> found = new HashMap<>();
        found.putAll(ipv4.follow(reals.stream().filter(NextHops::isIpv4).toList(), problems));
        found.putAll(ipv6.follow(reals.stream().filter(real -> !isIpv4(real)).toList(), problems));
        ways.end();
        interfaces = found;
        notes = Stream.of(ways.rules().source4(), ways.rules().source6())
                .flatMap(Optional::stream)
                .filter(source -> !ways.isOnLink(source))
                .map(source ->
                        "the outer source " + IpText.of(source) + " is on none of the director's networks: routers"
                                + " that filter by reverse path drop tunnel packets unless they have a route to it")
                .toList();
        for (InetAddress vip : vips) {
            ways.route(vip).flatMap(this::probeProblem).ifPresent(problem -> problems.put(vip, problem));
        }
        return problems;
    }

    /** A probe is put into its tunnel where it leaves: by another way it would reach anybody, and prove nothing. */
    private Optional<String> probeProblem(Route route) {
        if (route.local()) {
            return Optional.of("the VIP is an address of this director, so that no probe leaves it");
        }
        return ways.rules().ingress().contains(route.interfaceIndex())
                ? Optional.empty()
                : Optional.of("cannot be probed: the director's route to the VIP leaves through another interface");
    }

    private static boolean isIpv4(InetAddress address) {
        return address instanceof Inet4Address;
    }
}
