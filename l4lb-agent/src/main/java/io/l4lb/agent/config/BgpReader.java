// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.BgpSection;
import io.l4lb.agent.model.BgpSection.Neighbor;
import io.l4lb.agent.model.IpText;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the {@code [bgp]} table.
 *
 * @param section absent if anything in the file is wrong so far
 * @param routers addresses of neighbors and where they stand, of a wrong section too
 */
record BgpReader(Optional<BgpSection> section, Map<InetAddress, Located<InetAddress>> routers) {
    static final BgpReader NONE = new BgpReader(Optional.empty(), Map.of());
    private static final long MAX_AS = 4_294_967_294L;

    static BgpReader read(Table table) {
        table.require("local-as", "router-id", "neighbors");
        Optional<Long> localAs = table.longNumber("local-as", 1, MAX_AS);
        Optional<Inet4Address> routerId = table.value("router-id", "an IPv4 address", AddressLiteral::routerId);
        Duration holdTime = table.value("hold-time", DurationLiteral.EXPECTED, BgpReader::holdTime)
                .orElse(Duration.ofSeconds(9));
        Path exabgp = table.value("exabgp", "a path", PathLiteral::absolute).orElse(Path.of("/usr/sbin/exabgp"));
        Map<InetAddress, Located<InetAddress>> routers = new HashMap<>();
        List<Neighbor> neighbors = neighbors(table, routers);
        Optional<BgpSection> section = table.finish()
                ? Optional.of(
                        new BgpSection(localAs.orElseThrow(), routerId.orElseThrow(), holdTime, exabgp, neighbors))
                : Optional.empty();
        return new BgpReader(section, routers);
    }

    private static Duration holdTime(String text) {
        Duration holdTime = DurationLiteral.between(Duration.ofSeconds(3), Duration.ofSeconds(65535))
                .apply(text);
        if (!holdTime.equals(holdTime.truncatedTo(ChronoUnit.SECONDS))) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not a whole number of seconds");
        }
        return holdTime;
    }

    /** Reports VIPs that would take the address of a router away from it. A router may be a real. */
    void refuseVips(LoadedFile file, Path main) {
        for (ServiceDraft service : file.services()) {
            for (Located<InetAddress> vip : service.endpoint().vips()) {
                Located<InetAddress> router = routers.get(vip.value());
                if (router != null) {
                    String where = file.file().equals(main) ? "" : " of " + main;
                    file.problems()
                            .add(
                                    vip.line(),
                                    vip.key(),
                                    IpText.of(vip.value()) + " is the address of a BGP neighbor" + where + " (line "
                                            + router.line() + ")");
                }
            }
        }
    }

    private static List<Neighbor> neighbors(Table table, Map<InetAddress, Located<InetAddress>> routers) {
        List<Neighbor> neighbors = new ArrayList<>();
        Map<InetAddress, String> seen = new HashMap<>();
        if (table.size("neighbors") == 0) {
            table.problem("neighbors", "names no router");
        }
        for (Table entry : table.tables("neighbors")) {
            entry.require("address", "peer-as");
            Optional<Located<InetAddress>> located = entry.located("address", "an IP address", AddressLiteral::host);
            located.ifPresent(router -> routers.putIfAbsent(router.value(), router));
            Optional<InetAddress> address = located.map(Located::value);
            Optional<Long> peerAs = entry.longNumber("peer-as", 1, MAX_AS);
            address.map(a -> seen.putIfAbsent(a, entry.path()))
                    .ifPresent(first -> entry.problem("address", "is the address of " + first + " already"));
            if (entry.finish()) {
                neighbors.add(new Neighbor(address.orElseThrow(), peerAs.orElseThrow()));
            }
        }
        return neighbors;
    }
}
