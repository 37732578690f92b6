// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pieces of a real whose kernel opens the tunnels: the devices that each of its tunnel modules has from the start, and
 * which take every packet that no other device takes; fou for GUE, which hands what it has opened to them.
 */
final class KernelTunnels {
    static final String IPV4_IN_IPV4 = "ipip";
    static final String IPV6_IN_IPV4 = "sit";
    static final String ANY_IN_IPV6 = "ip6_tunnel";
    static final String GUE = "fou";
    static final Set<String> MODULES = Set.of(IPV4_IN_IPV4, IPV6_IN_IPV4, ANY_IN_IPV6, GUE);

    static final String TUNL0 = "tunl0";
    static final String SIT0 = "sit0";
    static final String IP6TNL0 = "ip6tnl0";
    static final Set<String> DEVICES = Set.of(TUNL0, SIT0, IP6TNL0);

    static final String GUE_PORT = "6080";
    private static final int LOOSE = 2;
    private static final int STRICT = 1;

    private final SetupRequest request;
    private final Facts facts;
    private final String interfaceName;
    private final Set<String> families;

    KernelTunnels(SetupRequest request, Facts facts, String interfaceName) {
        this.request = request;
        this.facts = facts;
        this.interfaceName = interfaceName;
        this.families = Blueprint.families(facts, interfaceName);
    }

    /** Why the kernel cannot do it. */
    List<String> obstacles() {
        List<String> obstacles = new ArrayList<>();
        List<String> missing = modules().stream()
                .filter(each -> !facts.modules().contains(each))
                .toList();
        if (!missing.isEmpty()) {
            obstacles.add("the kernel has no " + String.join(", ", missing)
                    + " (kernel modules; Debian has them in linux-image-amd64 or linux-image-arm64, Ubuntu in"
                    + " linux-modules-extra-$(uname -r); modprobe is in kmod)");
        }
        for (Prefix source : request.directorSources()) {
            if (source.isIpv4() && wayTo(source).isEmpty() && families.contains(IpTool.IPV4)) {
                obstacles.add(
                        "there is no route back to " + source + ": with rp_filter the kernel drops tunnels from there");
            }
        }
        return obstacles;
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("the kernel opens tunnels from anybody and for any address of this host"
                + (request.directorSources().isEmpty() ? "" : ", --director-source or not")
                + ": let your firewall take IP protocols 4 and 41 and UDP port " + GUE_PORT + " from directors only");
        return notes;
    }

    List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        modules().forEach(module -> pieces.add(new Piece(new Item(Kind.MODULE, module), KernelModules.LOADED)));
        boolean vip4 = !request.vips4().isEmpty();
        if (families.contains(IpTool.IPV4)) {
            if (strictElsewhere()) {
                pieces.add(Piece.setting("net/ipv4/conf/" + interfaceName + "/rp_filter", LOOSE));
            }
            if (vip4) {
                pieces.addAll(device(TUNL0, true, false));
            }
            if (request.hasVip6()) {
                pieces.addAll(device(SIT0, false, true));
            }
        }
        if (families.contains(IpTool.IPV6)) {
            if (vip4) {
                pieces.add(new Piece(new Item(Kind.TUNNEL_MODE, IP6TNL0), IpTool.ANY_IN_IPV6));
            }
            pieces.addAll(device(IP6TNL0, vip4, request.hasVip6()));
        }
        for (String family : List.of(IpTool.IPV4, IpTool.IPV6)) {
            if (families.contains(family)) {
                pieces.add(new Piece(new Item(Kind.GUE_PORT, family), GUE_PORT));
            }
        }
        return pieces;
    }

    private Set<String> modules() {
        Set<String> modules = new LinkedHashSet<>();
        if (families.contains(IpTool.IPV4)) {
            if (!request.vips4().isEmpty()) {
                modules.add(IPV4_IN_IPV4);
            }
            if (request.hasVip6()) {
                modules.add(IPV6_IN_IPV4);
            }
        }
        if (families.contains(IpTool.IPV6)) {
            modules.add(ANY_IN_IPV6);
        }
        modules.add(GUE);
        return modules;
    }

    /**
     * An inner packet comes in by the tunnel device, but the way back to its client is another: that is loose mode. The
     * greater of this and {@code all} counts. In loose mode a device without an IPv4 address still drops everything.
     */
    private List<Piece> device(String device, boolean vip4, boolean vip6) {
        List<Piece> pieces = new ArrayList<>();
        if (vip4) {
            pieces.add(Piece.setting("net/ipv4/conf/" + device + "/rp_filter", LOOSE));
            pieces.add(Piece.present(Item.address(request.vips4().get(0), device)));
        }
        if (vip6) {
            pieces.add(Piece.setting("net/ipv6/conf/" + device + "/disable_ipv6", 0));
        }
        pieces.add(new Piece(new Item(Kind.DEVICE, device), IpTool.UP));
        return pieces;
    }

    /** Whether strict filtering would drop tunnel packets of some director. */
    private boolean strictElsewhere() {
        return facts.ways().reversePathFilter() == STRICT
                && request.directorSources().stream().filter(Prefix::isIpv4).anyMatch(source -> wayTo(source)
                        .filter(device -> !device.equals(interfaceName))
                        .isPresent());
    }

    private Optional<String> wayTo(Prefix source) {
        return facts.ways().toSources().getOrDefault(source, Optional.empty());
    }
}
