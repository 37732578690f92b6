// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ipvs.host.LocalVips;
import io.l4lb.agent.dataplane.ipvs.host.MachineSettings;
import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.Route;
import io.l4lb.netlink.route.RouteTable;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What IPVS needs of this machine: VIPs that are its own, kernel settings, routes. For the reconcile thread alone. */
final class Host implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Host.class.getName());
    private static final Duration VIPS_PERIOD = Duration.ofSeconds(10);

    private final LocalVips local;
    private final MachineSettings settings;
    private final RouteTable routes;
    private Set<InetAddress> vips = Set.of();
    private Optional<Instant> vipsDue = Optional.empty();

    Host(LocalVips local, MachineSettings settings, RouteTable routes) {
        this.local = local;
        this.settings = settings;
        this.routes = routes;
    }

    /** See {@link MachineSettings#want}. */
    void want(Set<String> interfaces, boolean masquerade) {
        settings.want(interfaces, masquerade);
    }

    /**
     * Puts right what somebody has changed.
     *
     * @throws DataplaneException it cannot be: packets may be lost
     */
    void keep(Instant now) {
        settings.repair(now).forEach(this::tell);
        if (vipsDue.isEmpty() || !now.isBefore(vipsDue.get())) {
            LocalVips.Kept kept = local.keep(vips);
            kept.notes().forEach(this::tell);
            vipsDue = Optional.of(now.plus(VIPS_PERIOD));
            if (!kept.problems().isEmpty()) {
                vipsDue = Optional.empty();
                throw new DataplaneException(String.join("; ", kept.problems().values()));
            }
        }
    }

    private void tell(String note) {
        LOG.log(System.Logger.Level.INFO, "{0}", note);
    }

    /** These are to be this machine's own from now on; looked after by {@link #keep}. */
    void wantVips(Set<InetAddress> wanted) {
        if (!wanted.equals(vips)) {
            vips = Set.copyOf(wanted);
            vipsDue = Optional.empty();
        }
    }

    /** Makes a VIP this machine's own at once. */
    void addVip(InetAddress vip) {
        if (!vips.contains(vip)) {
            local.add(vip);
            Set<InetAddress> more = new HashSet<>(vips);
            more.add(vip);
            vips = Set.copyOf(more);
        }
    }

    void removeVip(InetAddress vip) {
        local.remove(vip);
        Set<InetAddress> fewer = new HashSet<>(vips);
        fewer.remove(vip);
        vips = Set.copyOf(fewer);
    }

    /** All addresses that are this machine's, VIPs included. */
    Set<InetAddress> ownAddresses() {
        return local.present();
    }

    /** By real, why no packet can be sent to it; by VIP, why no probe can. */
    Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> wantedVips) {
        local.towards(reals);
        Map<InetAddress, String> unreachable = new HashMap<>();
        for (InetAddress vip : wantedVips) {
            if (isSentFromItself(vip)) {
                unreachable.put(
                        vip,
                        "no probe can come back: " + IpText.of(vip)
                                + " is this machine's by an address or route that is not"
                                + " the agent's, so it would be sent from there; take that away (ip address del, ip route del"
                                + " table local): the agent makes its own route");
            }
        }
        for (InetAddress real : reals) {
            try {
                Optional<Route> route = routes.routeTo(real);
                if (route.isEmpty()) {
                    unreachable.put(real, "no route to " + IpText.of(real));
                }
            } catch (NetlinkException e) {
                unreachable.put(real, String.valueOf(e.getMessage()));
            }
        }
        return unreachable;
    }

    /** Which of several routes counts is for the kernel to say: of IPv4 the first, of IPv6 that of an address. */
    private boolean isSentFromItself(InetAddress vip) {
        try {
            return routes.routeTo(vip)
                    .filter(Route::local)
                    .flatMap(Route::preferredSource)
                    .filter(source -> source.equals(vip) || source.isLoopbackAddress())
                    .isPresent();
        } catch (NetlinkException e) {
            LOG.log(System.Logger.Level.WARNING, "the route to {0}: {1}", vip, e.getMessage());
            return false;
        }
    }

    /** Connections of destinations that are taken out meanwhile are kept for their return; their packets are not. */
    void keepingConnections(Runnable change) {
        settings.withoutExpiry(change);
    }

    @Override
    public void close() {
        try (local) {
            routes.close();
        }
    }
}
