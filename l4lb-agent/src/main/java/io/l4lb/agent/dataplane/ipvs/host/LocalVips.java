// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.LocalRoute;
import io.l4lb.netlink.route.LocalRoutes;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes VIPs the director's own, as IPVS wants them, by routes {@code local VIP dev lo src DIRECTOR} rather than as
 * addresses: nothing then sends from a VIP by itself, and probes need not choose an address. Ours are told by their protocol
 * number. A VIP that somebody else made local is left as it is. For the reconcile thread alone.
 */
public final class LocalVips implements AutoCloseable {
    /** rtm_protocol of our routes: {@code ip route show table local proto 76}. 76 ('L') is nobody's in iproute2's rt_protos. */
    public static final int PROTOCOL = 76;

    private final LocalRoutes routes;
    private final DirectorAddresses addresses;
    /** Addresses that are no source even if the machine has them. */
    private final Set<InetAddress> vips = new HashSet<>();

    LocalVips(LocalRoutes routes, DirectorAddresses addresses) {
        this.routes = routes;
        this.addresses = addresses;
    }

    /** In the calling thread's network namespace. */
    public static LocalVips open() {
        return new LocalVips(LocalRoutes.open(), DirectorAddresses.open());
    }

    /** From now on the source is what the kernel sends from to the first of these that it has a route to. */
    public void towards(Collection<InetAddress> reals) {
        addresses.towards(reals);
    }

    /** All addresses that are this machine's own, whoever made them. */
    public Set<InetAddress> present() {
        return toAddresses(list(0));
    }

    /** The VIPs that are local by routes of ours. */
    public Set<InetAddress> ours() {
        return toAddresses(list(PROTOCOL));
    }

    private static Set<InetAddress> toAddresses(List<LocalRoute> routes) {
        return new HashSet<>(routes.stream().map(LocalRoute::address).toList());
    }

    private List<LocalRoute> list(int protocol) {
        try {
            return routes.list(protocol);
        } catch (NetlinkException e) {
            throw new DataplaneException("cannot read the local routes: " + e.getMessage(), e);
        }
    }

    /**
     * Sees to it that a VIP is local, by a route of ours from the right source unless others made it local.
     *
     * @throws DataplaneException the director has no address of the VIP's family; lo is down; the kernel refuses
     */
    public void add(InetAddress vip) {
        vips.add(vip);
        Optional<LocalRoute> present;
        try {
            present = routes.find(vip);
        } catch (NetlinkException e) {
            throw refused(vip, e);
        }
        put(vip, present, new Sources());
    }

    /** The same for many, those that somebody removed included; other routes of ours stay too. */
    public Kept keep(Set<InetAddress> wanted) {
        vips.clear();
        vips.addAll(wanted);
        Map<InetAddress, LocalRoute> present = new HashMap<>();
        for (LocalRoute route : list(0)) {
            // Of several the one that others made counts.
            present.merge(route.address(), route, (one, other) -> one.protocol() == PROTOCOL ? other : one);
        }
        Sources sources = new Sources();
        List<String> notes = new ArrayList<>();
        Map<InetAddress, String> problems = new LinkedHashMap<>();
        Set<InetAddress> others = new HashSet<>();
        for (InetAddress vip : wanted) {
            Optional<LocalRoute> found = Optional.ofNullable(present.get(vip));
            if (isOfOthers(found)) {
                others.add(vip);
                continue;
            }
            try {
                if (put(vip, found, sources)) {
                    notes.add("local route " + IpText.of(vip) + (found.isEmpty() ? " added" : " changed"));
                }
            } catch (DataplaneException e) {
                problems.put(vip, String.valueOf(e.getMessage()));
            }
        }
        return new Kept(notes, problems, others);
    }

    /**
     * What came of it.
     *
     * @param notes what was done
     * @param problems by VIP, why it is not local, or not from the right source
     * @param others VIPs that others made local: addresses of the machine, whose sockets send from the VIP to the VIP
     *     unless they are bound to another address
     */
    public record Kept(List<String> notes, Map<InetAddress, String> problems, Set<InetAddress> others) {
        public Kept {
            notes = List.copyOf(notes);
            problems = Map.copyOf(problems);
            others = Set.copyOf(others);
        }
    }

    private static boolean isOfOthers(Optional<LocalRoute> present) {
        return present.filter(route -> route.protocol() != PROTOCOL).isPresent();
    }

    private boolean put(InetAddress vip, Optional<LocalRoute> present, Sources sources) {
        if (isOfOthers(present)) {
            return false;
        }
        if (!sources.loopback) {
            throw new DataplaneException(
                    "VIP " + IpText.of(vip) + " cannot be made local: the interface lo is down: ip link set lo up");
        }
        InetAddress source = sources.of(vip);
        LocalRoute wanted = new LocalRoute(vip, PROTOCOL, Optional.of(source));
        if (present.equals(Optional.of(wanted))) {
            return false;
        }
        try {
            if (present.isPresent()) {
                routes.replace(wanted);
            } else {
                routes.add(wanted);
            }
            return true;
        } catch (NetlinkException e) {
            throw refused(vip, e);
        }
    }

    /** Removes the route of ours; what others made stays. */
    public void remove(InetAddress vip) {
        vips.remove(vip);
        try {
            routes.remove(vip, PROTOCOL);
        } catch (NetlinkException e) {
            throw refused(vip, e);
        }
    }

    private static DataplaneException refused(InetAddress vip, NetlinkException e) {
        return new DataplaneException("VIP " + IpText.of(vip) + ": " + e.getMessage(), e);
    }

    /** Asked for once in a pass. */
    private final class Sources {
        private final Map<Boolean, List<InetAddress>> candidates = new HashMap<>();
        final boolean loopback = addresses.loopbackIsUp();

        InetAddress of(InetAddress vip) {
            boolean ipv4 = vip instanceof Inet4Address;
            return candidates.computeIfAbsent(ipv4, addresses::candidates).stream()
                    .filter(each -> !vips.contains(each))
                    .findFirst()
                    .orElseThrow(() -> new DataplaneException("VIP " + IpText.of(vip) + ": the director has no "
                            + (ipv4 ? "IPv4" : "IPv6")
                            + " address of its own to send to it from: give one of its interfaces an address"));
        }
    }

    @Override
    public void close() {
        try (addresses) {
            routes.close();
        }
    }
}
