// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.MacAddress;
import io.l4lb.netlink.generic.NetDevices;
import io.l4lb.netlink.route.Link;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteHop;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.XdpMode;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the kernel says of routes, links and neighbours, with what is wrong with them in words. For one thread. */
final class Ways {
    private final RouteTable routes;
    private final NextHopRules rules;
    private final Neighbors neighbors;
    private final Map<Integer, Optional<Link>> links = new HashMap<>();
    private final Map<Integer, String> names = new HashMap<>();
    private final Map<Integer, String> redirects = new HashMap<>();
    private final Map<Boolean, List<String>> forwarding = new HashMap<>();

    Ways(RouteTable routes, NextHopRules rules) {
        this.routes = routes;
        this.rules = rules;
        this.neighbors = new Neighbors(routes);
    }

    NextHopRules rules() {
        return rules;
    }

    /** Forgets what it asked the kernel before. */
    void begin() {
        links.clear();
        redirects.clear();
        forwarding.clear();
    }

    /** What nobody asked for since the last time is not kept any more. */
    void end() {
        neighbors.settle();
    }

    /** All ways that packets to a real may take. */
    List<RouteHop> hops(InetAddress real) {
        return routes.hops(real);
    }

    /** The way that the kernel's own packets would take. */
    Optional<Route> route(InetAddress destination) {
        return routes.routeTo(destination);
    }

    /** Whether an address is the director's own, or on one of its networks. */
    boolean isOnLink(InetAddress address) {
        return routes.routeTo(address)
                .filter(route -> route.local() || route.gateway().isEmpty())
                .isPresent();
    }

    /** The MAC address of a next hop, which is kept fresh from now on. */
    Optional<byte[]> mac(int interfaceIndex, InetAddress address) {
        return neighbors.mac(interfaceIndex, address);
    }

    /**
     * What is written of an interface that works. A VLAN of the only interface that packets come in by is the VLAN that they
     * come in by: they leave by it with the tags that they have.
     */
    Optional<Egress> egress(int interfaceIndex) {
        if (isVlanOfIngress(interfaceIndex)) {
            return Optional.empty();
        }
        return link(interfaceIndex)
                .flatMap(Link::mac)
                .flatMap(mac -> rules.egress(interfaceIndex, MacAddress.ofBytes(mac.toBytes())));
    }

    /** Why no frame can leave by an interface; empty: it can. */
    String linkProblem(int interfaceIndex) {
        Optional<Link> link = link(interfaceIndex);
        if (link.isEmpty()) {
            return "interface " + name(interfaceIndex) + " is gone";
        }
        if (!link.get().up()) {
            return "interface " + name(interfaceIndex) + " is down";
        }
        if (!link.get().carrier()) {
            return "the link of interface " + name(interfaceIndex) + " is down";
        }
        return link.get().mac().isPresent()
                ? redirects.computeIfAbsent(interfaceIndex, this::redirectProblem)
                : "interface " + name(interfaceIndex) + " is none of Ethernet's kind";
    }

    private boolean isVlanOfIngress(int interfaceIndex) {
        return !rules.ingress().contains(interfaceIndex)
                && routes.vlanParent(interfaceIndex).filter(rules::isOnly).isPresent();
    }

    /** In generic mode any interface sends what comes from another. */
    private String redirectProblem(int interfaceIndex) {
        boolean natively = rules.ingress().stream()
                .filter(index -> index != interfaceIndex)
                .flatMap(index -> Links.attachedXdp(index).stream())
                .anyMatch(attached -> attached.mode() == XdpMode.NATIVE);
        if (!natively || (!rules.fib() && isVlanOfIngress(interfaceIndex))) {
            return "";
        }
        try (NetDevices devices = NetDevices.open()) {
            return devices.takesRedirected(interfaceIndex).orElse(true)
                    ? ""
                    : "the driver of interface " + name(interfaceIndex) + " sends nothing that XDP redirects to it"
                            + " (a veth does if its other end has GRO or an XDP program, others if they have a program)";
        }
    }

    /** As it is called, or was. */
    String name(int interfaceIndex) {
        link(interfaceIndex);
        return names.getOrDefault(interfaceIndex, "number " + interfaceIndex);
    }

    /** Why bpf_fib_lookup refuses to find a way for packets of a family; empty: it does not. */
    String forwardingProblem(boolean ipv4) {
        return needed(switchesOff(ipv4));
    }

    /** The same for all packets to these reals. */
    String forwardingProblem(Set<InetAddress> reals) {
        return needed(reals.stream()
                .map(real -> real instanceof Inet4Address)
                .distinct()
                .sorted(Comparator.reverseOrder())
                .flatMap(ipv4 -> switchesOff(ipv4).stream())
                .toList());
    }

    private static String needed(List<String> off) {
        return off.isEmpty() ? "" : "next-hop \"fib\" needs " + String.join("=1, ", off) + "=1 (sysctl)";
    }

    private List<String> switchesOff(boolean ipv4) {
        return forwarding.computeIfAbsent(ipv4, this::askForwarding);
    }

    private List<String> askForwarding(boolean ipv4) {
        List<String> off = new ArrayList<>();
        for (int index : rules.ingress().stream().sorted().toList()) {
            if (!routes.forwards(index, ipv4)) {
                /* sysctl(8) takes a slash for a dot that belongs to the name. */
                off.add("net." + (ipv4 ? "ipv4" : "ipv6") + ".conf."
                        + name(index).replace('.', '/') + ".forwarding");
            }
        }
        return List.copyOf(off);
    }

    private Optional<Link> link(int interfaceIndex) {
        return links.computeIfAbsent(interfaceIndex, index -> {
            Optional<Link> link = routes.link(index);
            link.ifPresent(found -> names.put(index, found.name()));
            return link;
        });
    }
}
