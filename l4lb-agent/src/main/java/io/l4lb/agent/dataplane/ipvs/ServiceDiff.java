// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.ServiceRule.Wanted;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The fewest changes that make the kernel do what a rule says.
 *
 * @param changes in their order
 * @param reorders whether a destination that stays is taken out and put back: the kernel puts what is added at the head of
 *     its list, and knows no other way to move one
 */
record ServiceDiff(List<IpvsChange> changes, boolean reorders) {
    /** Without a scheduler a service has no table that each new destination would have built anew. */
    private static final String NO_SCHEDULER = "none";

    ServiceDiff {
        changes = List.copyOf(changes);
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Of a service that is not there. */
    static ServiceDiff creation(ServiceRule rule) {
        Service service = rule.service();
        List<IpvsChange> changes = new ArrayList<>();
        boolean twoSteps = rule.ordered() && !rule.wanted().isEmpty();
        changes.add(new IpvsChange.AddService(
                twoSteps ? new Service(service.identity(), ServiceSettings.of(NO_SCHEDULER)) : service));
        add(service.identity(), rule.wanted(), changes);
        if (twoSteps) {
            changes.add(new IpvsChange.EditService(service));
        }
        return new ServiceDiff(changes, false);
    }

    /**
     * Of a service that is there.
     *
     * @param settings that it has
     * @param listed its destinations, in the order of the kernel's list
     * @param nominal by destination, the latest weight other than 0 that it had, where that is known
     */
    static ServiceDiff between(
            ServiceSettings settings,
            List<Destination> listed,
            Map<DestinationIdentity, Integer> nominal,
            ServiceRule rule) {
        return new Builder(listed, nominal, rule).diff(settings);
    }

    /** The last of the list first. One at a weight of 0 is given its nominal one first, by which it gets its slots. */
    private static void add(ServiceIdentity service, List<Wanted> wanted, List<IpvsChange> changes) {
        List<Wanted> reversed = new ArrayList<>(wanted);
        Collections.reverse(reversed);
        for (Wanted each : reversed) {
            changes.add(
                    new IpvsChange.AddDestination(service, each.destination().withWeight(each.nominal())));
            if (each.weight() != each.nominal()) {
                changes.add(new IpvsChange.EditDestination(service, each.destination()));
            }
        }
    }

    private static final class Builder {
        private final List<Destination> listed;
        private final Map<DestinationIdentity, Integer> nominal;
        private final ServiceRule rule;
        private final ServiceIdentity service;
        private final Map<DestinationIdentity, Wanted> wanted = new HashMap<>();
        private final List<IpvsChange> changes = new ArrayList<>();

        Builder(List<Destination> listed, Map<DestinationIdentity, Integer> nominal, ServiceRule rule) {
            this.listed = listed;
            this.nominal = nominal;
            this.rule = rule;
            this.service = rule.service().identity();
            rule.wanted().forEach(each -> wanted.put(each.identity(), each));
        }

        ServiceDiff diff(ServiceSettings settings) {
            if (!settings.equals(rule.service().settings())) {
                changes.add(new IpvsChange.EditService(rule.service()));
            }
            Set<DestinationIdentity> settled = settled();
            boolean reorders = false;
            for (Destination each : listed) {
                DestinationIdentity identity = each.identity();
                Optional<Wanted> asked = Optional.ofNullable(wanted.get(identity));
                if (rule.dead().contains(identity)) {
                    changes.add(new IpvsChange.DeleteDestination(service, identity));
                } else if (asked.isEmpty()) {
                    drain(each);
                } else if (settled.contains(identity)) {
                    edit(each, asked.get());
                }
            }
            // Taken out right before they are put back, so that packets of their connections have hardly any time to
            // come.
            for (Destination each : listed) {
                if (wanted.containsKey(each.identity()) && !settled.contains(each.identity())) {
                    changes.add(new IpvsChange.DeleteDestination(service, each.identity()));
                    reorders = true;
                }
            }
            add(
                    service,
                    rule.wanted().stream()
                            .filter(each -> !settled.contains(each.identity()))
                            .toList(),
                    changes);
            return new ServiceDiff(changes, reorders);
        }

        /** The destinations that are in the list and can stay in their places: without an order all, else a tail. */
        private Set<DestinationIdentity> settled() {
            List<DestinationIdentity> present = listed.stream()
                    .map(Destination::identity)
                    .filter(wanted::containsKey)
                    .toList();
            if (!rule.ordered()) {
                return Set.copyOf(present);
            }
            List<DestinationIdentity> order =
                    rule.wanted().stream().map(Wanted::identity).toList();
            Set<DestinationIdentity> tail = new HashSet<>();
            int most = Math.min(order.size(), present.size());
            for (int i = 1; i <= most; i++) {
                DestinationIdentity next = order.get(order.size() - i);
                if (!next.equals(present.get(present.size() - i))) {
                    break;
                }
                tail.add(next);
            }
            return tail;
        }

        private void edit(Destination actual, Wanted asked) {
            boolean slots = !rule.keepsSlots() || asked.nominal() == nominalOf(actual);
            if (actual.equals(asked.destination()) && slots) {
                return;
            }
            if (!slots && asked.weight() != asked.nominal()) {
                changes.add(new IpvsChange.EditDestination(
                        service, asked.destination().withWeight(asked.nominal())));
            }
            changes.add(new IpvsChange.EditDestination(service, asked.destination()));
        }

        private int nominalOf(Destination actual) {
            int weight = actual.settings().weight();
            return weight != 0 ? weight : nominal.getOrDefault(actual.identity(), 0);
        }

        private void drain(Destination actual) {
            if (actual.settings().weight() != 0) {
                changes.add(new IpvsChange.EditDestination(service, actual.withWeight(0)));
            }
        }
    }
}
