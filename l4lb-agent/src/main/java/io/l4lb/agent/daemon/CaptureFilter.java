// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.Selection;
import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.decision.Verdict;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which copies are wanted. What a packet was when it came in decides about its later copy too; a later copy whose first
 * was lost is left out. A verdict is known with the later copy: until then the first one is kept back. For one thread.
 */
final class CaptureFilter {
    /** Packets between their two copies: those that all CPUs have in their hands, and some. */
    private static final int MEMORY = 4096;

    private final Selection selection;
    private final List<String> verdicts;
    private final List<ServiceKey> services;
    /** By their number, those that fit so far; what is kept back of them. */
    private final Map<Long, List<CapturedPacket>> firsts = new LinkedHashMap<>();

    /** @throws ControlException there is no such service, or no such verdict */
    CaptureFilter(CaptureRequest request, ServiceNames names) {
        this.selection = request.selection();
        this.verdicts = request.verdicts();
        this.services = names.keys(selection.service());
        verdicts.forEach(CaptureFilter::requireKnown);
    }

    private static void requireKnown(String verdict) {
        List<String> known = Arrays.stream(Verdict.values()).map(Verdict::text).toList();
        if (!known.contains(verdict)) {
            throw ControlException.refused("no verdict is named \"" + verdict + "\"; there are "
                    + known.stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    /** The copies to hand on now, in their order. */
    List<CapturedPacket> take(CapturedPacket packet) {
        if (selection.equals(Selection.ALL) && verdicts.isEmpty()) {
            return List.of(packet);
        }
        return packet.stage() == Stage.AFTER ? takeLater(packet) : takeFirst(packet);
    }

    private List<CapturedPacket> takeFirst(CapturedPacket packet) {
        boolean later = !verdicts.isEmpty();
        if (!selection.equals(Selection.ALL) && !fits(packet.frame().bytes())) {
            return List.of();
        }
        firsts.put(packet.packet(), later ? List.of(packet) : List.of());
        if (firsts.size() > MEMORY) {
            firsts.remove(firsts.keySet().iterator().next());
        }
        return later ? List.of() : List.of(packet);
    }

    private List<CapturedPacket> takeLater(CapturedPacket packet) {
        boolean fits = firsts.containsKey(packet.packet()) || selection.equals(Selection.ALL);
        List<CapturedPacket> first = firsts.getOrDefault(packet.packet(), List.of());
        firsts.remove(packet.packet());
        return fits && (verdicts.isEmpty() || verdicts.contains(packet.verdict()))
                ? Stream.concat(first.stream(), Stream.of(packet)).toList()
                : List.of();
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
