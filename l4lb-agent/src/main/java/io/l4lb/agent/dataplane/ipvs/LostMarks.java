// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.Service;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Services by mark that no file names, but that are exactly as ours: an agent has left them, and its state is lost. For the
 * reconcile thread alone.
 */
final class LostMarks {
    private static final int COUNT = Config.MAX_WAYS;

    private final Kernel kernel;
    private final Set<Integer> known;

    /** @param known marks of probes that are in the file: what is ours at them is in it too */
    LostMarks(Kernel kernel, Set<Integer> known) {
        this.kernel = kernel;
        this.known = Set.copyOf(known);
    }

    /** Whether it may be one of ours, of probes or of packets. */
    static boolean inRange(int mark) {
        return mark >= ProbePath.FIRST_MARK && mark - ProbePath.FIRST_MARK < 2 * COUNT;
    }

    /** The mark of a way's probes. */
    static int ofProbes(int mark) {
        return mark - ProbePath.FIRST_MARK < COUNT ? mark : mark - MarkServices.ofPackets(0);
    }

    /** Those that an agent has left, each with the way of its mark. That of packets counts beside that of its probes alone. */
    Map<FirewallMark, ProbePath> among(List<Service> byMark) {
        Map<FirewallMark, ProbePath> lost = new LinkedHashMap<>();
        Map<Integer, ProbePath> ways = new HashMap<>();
        for (boolean packets : List.of(false, true)) {
            for (Service service : byMark) {
                FirewallMark mark = (FirewallMark) service.identity();
                int probes = ofProbes(mark.mark());
                if (inRange(mark.mark())
                        && (mark.mark() != probes) == packets
                        && !known.contains(probes)
                        && service.settings().equals(MarkServices.ONE_DESTINATION)) {
                    way(mark, Optional.ofNullable(ways.get(probes)), packets).ifPresent(way -> {
                        ways.put(probes, way);
                        lost.put(mark, way);
                    });
                }
            }
        }
        return lost;
    }

    /** The way that a mark can only stand for, if it is as ours are. */
    private Optional<ProbePath> way(FirewallMark mark, Optional<ProbePath> ofNumber, boolean packets) {
        if (packets && ofNumber.isEmpty()) {
            return Optional.empty();
        }
        List<DestinationEntry> destinations = kernel.destinations(mark);
        if (packets && destinations.isEmpty()) {
            return ofNumber; // its real is down
        }
        if (destinations.size() != 1) {
            return Optional.empty();
        }
        Destination only = destinations.get(0).destination();
        Forwarding forwarding = ServiceRule.forwarding(only.settings().forwarding());
        ProbePath way = new ProbePath(only.identity().address(), forwarding);
        boolean like = only.identity().port() == 0
                && only.settings().equals(DestinationSettings.of(1, ServiceRule.method(forwarding)))
                && MarkServices.suits(way, mark.family());
        return Optional.of(way).filter(found -> like && ofNumber.orElse(found).equals(found));
    }
}
