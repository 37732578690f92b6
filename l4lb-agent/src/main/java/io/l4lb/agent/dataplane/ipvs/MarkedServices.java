// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.mark.Marker;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpText;
import io.l4lb.ipvs.FirewallMark;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The services whose packets our program marks, since the kernel has no scheduler for them; by its mark a packet finds the
 * service with its real. For the reconcile thread alone.
 */
final class MarkedServices {
    private static final Duration TAKE_OVER_PERIOD = Duration.ofSeconds(10);

    private final IpvsParts parts;
    /** As they were last installed, or found. */
    private final Map<ServiceKey, ServiceProgram> programs = new LinkedHashMap<>();

    private Map<ProbePath, Integer> markOf;
    private Instant takeOverDue = Instant.MIN;

    /** @param probes the way of each mark of probes */
    MarkedServices(IpvsParts parts, Map<Integer, ProbePath> probes) {
        this.parts = parts;
        this.markOf = reversed(probes);
    }

    /** From now on these are the marks of probes; those of packets follow from them. */
    void setMarks(Map<Integer, ProbePath> probes) {
        markOf = reversed(probes);
    }

    private static Map<ProbePath, Integer> reversed(Map<Integer, ProbePath> byMark) {
        Map<ProbePath, Integer> byPath = new HashMap<>();
        byMark.forEach((mark, path) -> byPath.put(path, mark));
        return byPath;
    }

    /** Gives the packets of services the marks that their ways have now, where that is another than they had. */
    void remark(Instant now) {
        parts.marker().ifPresent(marker -> List.copyOf(programs.values()).stream()
                .filter(program -> isMarkedOtherwise(marker, program))
                .forEach(program -> install(program, now)));
    }

    /** One with a real that has no mark any more is to be installed without it, or removed. */
    private boolean isMarkedOtherwise(Marker marker, ServiceProgram program) {
        Map<InetAddress, Integer> found = marker.marks(program.key());
        Map<InetAddress, Integer> right = new HashMap<>();
        program.active().forEach(real -> packetMark(program, real).ifPresent(mark -> right.put(real, mark)));
        return right.keySet().containsAll(program.active())
                && found.keySet().equals(right.keySet())
                && !found.equals(right);
    }

    /** What the kernel does; what a predecessor has left is known by the marks of its reals from now on. */
    Map<ServiceKey, ObservedService> observe(Instant now) {
        return parts.marker().map(marker -> observe(marker, now)).orElse(Map.of());
    }

    private Map<ServiceKey, ObservedService> observe(Marker marker, Instant now) {
        Map<ServiceKey, ObservedService> found = marker.observe(parts.marks().ways());
        boolean more = false;
        for (ServiceKey key : found.keySet()) {
            if (!programs.containsKey(key)) {
                marker.installed(key).ifPresent(program -> programs.put(key, withWay(marker, program)));
                more = true;
            }
        }
        if (more) {
            parts.marks().setPackets(packetMarks(), now);
        }
        return found;
    }

    /** The maps do not say how packets get to the reals: their marks do. */
    private ServiceProgram withWay(Marker marker, ServiceProgram program) {
        Forwarding forwarding = marker.marks(program.key()).values().stream()
                .map(parts.marks()::path)
                .flatMap(Optional::stream)
                .map(ProbePath::forwarding)
                .findFirst()
                .orElse(program.forwarding());
        return new ServiceProgram(
                program.key(),
                program.packetKey(),
                forwarding,
                program.scheduling(),
                program.lookup(),
                program.members());
    }

    /** Tries again to take over the program of a predecessor, if that has failed. */
    void takeOver(Instant now) {
        if (parts.notTakenOver().isPresent() && !now.isBefore(takeOverDue)) {
            takeOverDue = now.plus(TAKE_OVER_PERIOD);
            parts.takeOverMarker();
            observe(now);
        }
    }

    /** What it marks already is known before anything is changed. */
    private Marker opened(Instant now) {
        boolean fresh = parts.marker().isEmpty();
        Marker marker = parts.openMarker();
        if (fresh) {
            observe(marker, now);
        }
        return marker;
    }

    /** Marks the packets of a service as said. A mark has its real before packets get it, and until none does. */
    ObservedService install(ServiceProgram program, Instant now) {
        Marker marker = opened(now);
        Map<Integer, Boolean> meanwhile = new LinkedHashMap<>(parts.marks().packets());
        programs.put(program.key(), program);
        packetMarks().forEach((mark, up) -> meanwhile.merge(mark, up, Boolean::logicalOr));
        parts.marks().setPackets(meanwhile, now);
        refuseForeign(program);
        ObservedService result = marker.install(
                program,
                real -> packetMark(program, real).orElseThrow(() -> noMark(real)),
                parts.marks().ways());
        parts.marks().setPackets(packetMarks(), now);
        return result;
    }

    private void refuseForeign(ServiceProgram program) {
        for (FirewallMark contested : parts.marks().contested()) {
            if (program.active().stream().anyMatch(real -> packetMark(program, real)
                    .filter(mark -> mark == contested.mark())
                    .isPresent())) {
                throw MarkServices.foreign(contested);
            }
        }
    }

    /** Marks no packets of these services any more; those that are not there are ignored. */
    void remove(Set<ServiceKey> keys, Instant now) {
        parts.marker().ifPresent(marker -> marker.remove(keys));
        if (programs.keySet().removeAll(keys)) {
            parts.marks().setPackets(packetMarks(), now);
        }
    }

    /** By mark, whether its real is up by any of the services that are marked. */
    private Map<Integer, Boolean> packetMarks() {
        Map<Integer, Boolean> marks = new LinkedHashMap<>();
        for (ServiceProgram program : programs.values()) {
            for (ServiceProgram.Member member : program.members()) {
                // A predecessor's real may have no mark any more: then nothing new goes to it.
                packetMark(program, member.real())
                        .ifPresent(mark -> marks.merge(mark, member.up(), Boolean::logicalOr));
            }
        }
        return marks;
    }

    private Optional<Integer> packetMark(ServiceProgram program, InetAddress real) {
        return Optional.ofNullable(markOf.get(new ProbePath(real, program.forwarding())))
                .map(MarkServices::ofPackets);
    }

    private static DataplaneException noMark(InetAddress real) {
        return new DataplaneException("there is no mark for " + IpText.of(real));
    }
}
