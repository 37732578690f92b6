// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.ServiceRule.Wanted;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.VirtualAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The destinations that only keep the connections that they have. For the reconcile thread alone. */
final class ServiceDrains {
    private static final System.Logger LOG = System.getLogger(ServiceDrains.class.getName());

    private final Kernel kernel;
    private final Drains<Draining> drains;

    private record Draining(VirtualAddress service, DestinationIdentity destination, boolean leaves) {}

    /** @param timeout how long one that is to leave keeps its connections */
    ServiceDrains(Kernel kernel, Duration timeout) {
        this.kernel = kernel;
        this.drains = new Drains<>(timeout);
    }

    /** Notes what of a service only keeps its connections: all that is listed and not wanted. */
    void note(VirtualAddress service, List<Destination> listed, ServiceRule rule, Instant now) {
        Set<DestinationIdentity> wanted =
                rule.wanted().stream().map(Wanted::identity).collect(Collectors.toSet());
        Set<Draining> draining = new HashSet<>(drains.all());
        draining.removeIf(each -> each.service().equals(service));
        for (Destination each : listed) {
            if (!wanted.contains(each.identity())) {
                draining.add(
                        new Draining(service, each.identity(), !rule.drained().contains(each.identity())));
            }
        }
        drains.set(draining, now);
    }

    /** Gives all destinations of a service no more connections. */
    void drain(VirtualAddress service, Instant now) {
        List<IpvsChange> changes = new ArrayList<>();
        Set<Draining> draining = new HashSet<>(drains.all());
        for (DestinationEntry entry : kernel.destinations(service)) {
            draining.add(new Draining(service, entry.destination().identity(), true));
            changes.add(
                    new IpvsChange.EditDestination(service, entry.destination().withWeight(0)));
        }
        kernel.delete(changes);
        drains.set(draining, now);
    }

    /**
     * Takes out destinations that have no connections any more, or whose time is over.
     *
     * @return services that still have some
     */
    Set<VirtualAddress> finish(Instant now) {
        Map<VirtualAddress, List<Draining>> byService =
                drains.all().stream().collect(Collectors.groupingBy(Draining::service));
        Set<Draining> left = new HashSet<>(drains.all());
        byService.forEach((service, draining) -> left.removeAll(finish(service, draining, now)));
        drains.set(left, now);
        return left.stream().map(Draining::service).collect(Collectors.toSet());
    }

    private Set<Draining> finish(VirtualAddress service, List<Draining> draining, Instant now) {
        Map<DestinationIdentity, DestinationEntry> entries = new HashMap<>();
        kernel.destinations(service)
                .forEach(entry -> entries.put(entry.destination().identity(), entry));
        Set<Draining> done = new HashSet<>();
        List<IpvsChange> changes = new ArrayList<>();
        for (Draining each : draining) {
            DestinationEntry entry = entries.get(each.destination());
            boolean idle = entry == null || isIdle(entry);
            if (idle || (each.leaves() && drains.over(each, now))) {
                done.add(each);
                if (entry != null) {
                    changes.add(new IpvsChange.DeleteDestination(service, each.destination()));
                    LOG.log(
                            System.Logger.Level.INFO,
                            "{0}: real {1} is out, {2}",
                            service,
                            each.destination().address().getHostAddress(),
                            idle ? "it has no connections any more" : "its time to drain is over");
                }
            }
        }
        kernel.delete(changes);
        return done;
    }

    static boolean isIdle(DestinationEntry entry) {
        return entry.connections().active() == 0
                && entry.connections().inactive() == 0
                && entry.connections().persistent() == 0;
    }
}
