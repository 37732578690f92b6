// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.Selection;
import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which copies are wanted. What a packet was when it came in decides about its later copy too; a later copy whose first
 * was lost is left out. For one thread.
 */
final class CaptureFilter {
    /** Packets between their two copies: those that all CPUs have in their hands, and some. */
    private static final int MEMORY = 4096;

    private final Selection selection;
    private final List<ServiceKey> services;
    private final Map<Long, Boolean> wanted = new LinkedHashMap<>();

    CaptureFilter(Selection selection, ServiceNames names) {
        this.selection = selection;
        this.services = names.keys(selection.service());
    }

    boolean wants(CapturedPacket packet) {
        if (selection.equals(Selection.ALL)) {
            return true;
        }
        if (packet.stage() == Stage.AFTER) {
            return Boolean.TRUE.equals(wanted.remove(packet.packet()));
        }
        boolean wants = fits(packet.frame().bytes());
        wanted.put(packet.packet(), wants);
        if (wanted.size() > MEMORY) {
            wanted.remove(wanted.keySet().iterator().next());
        }
        return wants;
    }

    private boolean fits(byte[] frame) {
        Optional<PacketEnds> ends = PacketEnds.of(frame);
        return ends.isPresent()
                && selection.hasAddresses(ends.get().client(), ends.get().vip())
                && (selection.service().isEmpty() || services.stream().anyMatch(key -> isOf(key, ends.get())));
    }

    /** Without its ports a packet may be of any port's service. */
    private static boolean isOf(ServiceKey key, PacketEnds ends) {
        return key.vip().equals(ends.vip())
                && (key.protocol() == Protocol.ANY || key.protocol().number() == ends.protocol())
                && (key.port() == Frontend.ANY_PORT || ends.port() == PacketEnds.UNKNOWN || key.port() == ends.port());
    }
}
