// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.model.IpText;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What this server needs to be the real that was asked for.
 *
 * @param method never {@link Method#AUTO}
 * @param pieces in the order in which they are to be made
 * @param notes what the operator should know
 */
record Blueprint(String interfaceName, Method method, List<Piece> pieces, List<String> notes) {
    private static final String LOOPBACK = "lo";
    /** An interface that answers ARP for addresses of its own only. */
    private static final int ARP_IGNORE = 1;

    private static final int MOST_ARP_IGNORE = 2;
    /** ... and asks with an address of its own only. */
    private static final int ARP_ANNOUNCE = 2;

    Blueprint {
        pieces = List.copyOf(pieces);
        notes = List.copyOf(notes);
    }

    /**
     * Plans; touches nothing.
     *
     * @throws RealServerException with every reason why it cannot be
     */
    static Blueprint of(SetupRequest request, Facts facts) {
        String name = request.interfaceName()
                .or(() -> facts.ways().outward())
                .orElseThrow(() -> new RealServerException("there is no default route: name the --interface"));
        Facts.Device device = facts.device(name)
                .orElseThrow(() -> new RealServerException("there is no interface " + name + "; there are: "
                        + String.join(
                                ", ",
                                facts.devices().stream().map(Facts.Device::name).toList())));
        KernelTunnels kernel = new KernelTunnels(request, facts, name);
        List<String> problems = new ArrayList<>(problems(request, facts, name));
        List<String> notes = new ArrayList<>();
        Method method = method(request, kernel, notes);
        if (method == Method.KERNEL) {
            problems.addAll(kernel.obstacles());
            notes.addAll(kernel.notes());
        } else if (!device.ethernet()) {
            problems.add(
                    name + " is not of Ethernet's kind: our program cannot open tunnels there; use --method kernel");
        }
        if (!problems.isEmpty()) {
            throw new RealServerException(problems);
        }
        List<Piece> pieces = new ArrayList<>(common(request, name));
        pieces.addAll(method == Method.KERNEL ? kernel.pieces() : BpfTunnel.pieces(request, facts, name));
        notes.addAll(SizeAdvice.of(device, facts.addresses()));
        return new Blueprint(name, method, pieces, notes);
    }

    private static Method method(SetupRequest request, KernelTunnels kernel, List<String> notes) {
        if (request.method() != Method.AUTO) {
            return request.method();
        }
        if (kernel.obstacles().isEmpty()) {
            return Method.KERNEL;
        }
        notes.add("our program opens the tunnels, since the kernel's devices will not do: "
                + String.join("; ", kernel.obstacles()));
        return Method.BPF;
    }

    private static List<String> problems(SetupRequest request, Facts facts, String name) {
        List<String> problems = new ArrayList<>();
        if (request.hasVip6() && !facts.ipv6()) {
            problems.add("this kernel has no IPv6, or it was switched off at its start");
        }
        if (facts.addresses().stream().noneMatch(each -> each.device().equals(name))) {
            problems.add(name + " has no address: no director could send to it");
        }
        for (Facts.HostAddress each : facts.addresses()) {
            if (request.vips().contains(each.address()) && !mayHoldVips(each.device())) {
                problems.add(IpText.of(each.address()) + " is an address of " + each.device()
                        + " already: it would take the VIP's packets past the directors. Take it off there first");
            }
        }
        if (!request.vips4().isEmpty() && facts.ways().arpIgnore() > MOST_ARP_IGNORE) {
            problems.add(Item.setting("net/ipv4/conf/all/arp_ignore") + " is "
                    + facts.ways().arpIgnore() + ", which wins over " + name + "'s and does not do; make it 2 or less");
        }
        return problems;
    }

    /** The tunnel devices do not answer ARP, and some put the VIPs there. */
    private static boolean mayHoldVips(String device) {
        return device.equals(LOOPBACK) || KernelTunnels.DEVICES.contains(device);
    }

    /** Before a VIP is there, nobody may be told of it. */
    private static List<Piece> common(SetupRequest request, String name) {
        List<Piece> pieces = new ArrayList<>();
        pieces.add(new Piece(new Item(Kind.DEVICE, LOOPBACK), IpTool.UP));
        if (!request.vips4().isEmpty()) {
            pieces.add(Piece.setting("net/ipv4/conf/" + name + "/arp_ignore", ARP_IGNORE));
            pieces.add(Piece.setting("net/ipv4/conf/" + name + "/arp_announce", ARP_ANNOUNCE));
        }
        if (request.hasVip6()) {
            pieces.add(Piece.setting("net/ipv6/conf/" + LOOPBACK + "/disable_ipv6", 0));
        }
        for (InetAddress vip : request.vips()) {
            pieces.add(Piece.present(Item.address(vip, LOOPBACK)));
        }
        return pieces;
    }

    /** Families of the outer headers that can come in: those of the interface's addresses. */
    static Set<String> families(Facts facts, String name) {
        Optional<Facts.HostAddress> ipv4 = facts.addresses().stream()
                .filter(each -> each.device().equals(name) && each.address() instanceof Inet4Address)
                .findFirst();
        boolean ipv6 = facts.addresses().stream()
                .anyMatch(each -> each.device().equals(name) && !(each.address() instanceof Inet4Address));
        if (ipv4.isEmpty()) {
            return Set.of(IpTool.IPV6);
        }
        return ipv6 ? Set.of(IpTool.IPV4, IpTool.IPV6) : Set.of(IpTool.IPV4);
    }
}
