// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.file.FileProblem;
import io.l4lb.netlink.route.InterfaceAddress;
import io.l4lb.netlink.route.Link;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds out what planning has to know. */
final class KernelFacts {
    private static final Path IPV4_ROUTES = Path.of("/proc/thread-self/net/route");
    private static final Path IPV6_ROUTES = Path.of("/proc/thread-self/net/ipv6_route");
    private static final Path IPV6 = Path.of("/proc/sys/net/ipv6");
    private static final int RTF_REJECT = 0x200;

    private final RouteTable routes;
    private final KernelSettings settings;
    private final KernelModules modules;

    KernelFacts(RouteTable routes, KernelSettings settings, KernelModules modules) {
        this.routes = routes;
        this.settings = settings;
        this.modules = modules;
    }

    Facts look(SetupRequest request) {
        List<Facts.Device> devices = new ArrayList<>();
        List<Facts.HostAddress> addresses = new ArrayList<>();
        for (Link link : routes.links()) {
            devices.add(new Facts.Device(link.name(), link.mtu(), link.mac().isPresent()));
            for (InterfaceAddress each : routes.addresses(link.index())) {
                if (each.scope() == InterfaceAddress.SCOPE_GLOBAL
                        && !each.address().isLoopbackAddress()) {
                    addresses.add(new Facts.HostAddress(link.name(), each.address()));
                }
            }
        }
        Set<String> available =
                KernelTunnels.MODULES.stream().filter(modules::isAvailable).collect(Collectors.toSet());
        return new Facts(devices, addresses, available, ways(request), Files.exists(IPV6));
    }

    private Facts.Ways ways(SetupRequest request) {
        Optional<String> outward4 = outward4();
        Map<Prefix, Optional<String>> toSources = new HashMap<>();
        for (Prefix source : request.directorSources()) {
            Optional<Route> route = routes.routeTo(source.address());
            toSources.put(
                    source,
                    route.flatMap(way -> routes.link(way.interfaceIndex())).map(Link::name));
        }
        Optional<String> interfaceName = request.interfaceName().or(() -> outward4);
        int filter = Math.max(
                settings.number("net/ipv4/conf/all/rp_filter"),
                interfaceName
                        .map(name -> settings.number("net/ipv4/conf/" + name + "/rp_filter"))
                        .orElse(0));
        return new Facts.Ways(
                outward4.or(KernelFacts::outward6), toSources, filter, settings.number("net/ipv4/conf/all/arp_ignore"));
    }

    /** Lines of: interface, destination, gateway, flags, three counts, mask, ...; hexadecimal. */
    private static Optional<String> outward4() {
        return lines(IPV4_ROUTES).stream()
                .map(line -> line.split("\\s+", -1))
                .filter(words -> words.length > 7 && words[1].equals("00000000") && words[7].equals("00000000"))
                .map(words -> words[0])
                .findFirst();
    }

    /** Lines of: destination, its length, source, its length, next hop, metric, two counts, flags, interface. */
    private static Optional<String> outward6() {
        return lines(IPV6_ROUTES).stream()
                .map(line -> line.strip().split("\\s+", -1))
                .filter(words -> words.length > 9 && words[0].matches("0{32}") && words[1].equals("00"))
                .filter(words -> (Long.parseLong(words[8], 16) & RTF_REJECT) == 0)
                .map(words -> words[9])
                .findFirst();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new RealServerException("cannot read " + file + ": " + FileProblem.words(e), e);
        }
    }
}
