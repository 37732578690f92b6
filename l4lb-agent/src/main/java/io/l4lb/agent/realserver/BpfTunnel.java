// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The pieces of a real on which our program opens the tunnels: it does so before the kernel's stack sees them, so the inner
 * packets come in by the interface itself, and rp_filter never sees an outer source.
 */
final class BpfTunnel {
    private static final int STRICT = 1;
    private static final int LOOSE = 2;

    private BpfTunnel() {}

    static List<Piece> pieces(SetupRequest request, Facts facts, String interfaceName) {
        List<Piece> pieces = new ArrayList<>();
        if (!request.vips4().isEmpty() && strictElsewhere(facts.ways(), interfaceName)) {
            pieces.add(Piece.setting("net/ipv4/conf/" + interfaceName + "/rp_filter", LOOSE));
        }
        if (request.hasVip6()) {
            pieces.add(Piece.setting("net/ipv6/conf/" + interfaceName + "/disable_ipv6", 0));
        }
        Optional.ofNullable(request.pinDirectory().getParent())
                .ifPresent(parent -> pieces.add(
                        new Piece(new Item(Kind.BPF_FILE_SYSTEM, parent.toString()), BpfFileSystem.MOUNTED)));
        pieces.add(new Piece(new Item(Kind.PROGRAM, interfaceName), TunnelProgram.currentBuild()));
        List<Prefix> sources =
                request.directorSources().isEmpty() ? List.of(Prefix.EVERYTHING) : request.directorSources();
        sources.forEach(source -> pieces.add(Piece.present(Item.tunnelSource(source))));
        facts.addresses().stream()
                .map(Facts.HostAddress::address)
                .filter(address -> !request.vips().contains(address))
                .distinct()
                .forEach(address -> pieces.add(Piece.present(Item.tunnelEnd(address))));
        for (InetAddress vip : request.vips()) {
            pieces.add(Piece.present(Item.openedVip(vip)));
        }
        return pieces;
    }

    /** Whether clients' packets would be dropped, since the way back to them is not the one that they come by. */
    private static boolean strictElsewhere(Facts.Ways ways, String interfaceName) {
        return ways.reversePathFilter() == STRICT
                && ways.outward().filter(interfaceName::equals).isEmpty();
    }
}
