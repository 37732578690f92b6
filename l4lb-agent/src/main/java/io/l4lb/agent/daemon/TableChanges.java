// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.agent.reconcile.RealStates;
import io.l4lb.agent.status.ConfigDiffView.TableChange;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which slots of which lookup tables a new configuration would move, planned for both configurations with planners of its
 * own: pure, and for any thread.
 *
 * @param before of the configuration that runs
 * @param after of the new one
 * @param states present health; a real that it does not know of at a VIP is taken for up
 */
record TableChanges(Tables before, Tables after, RealStates states) {
    /** The tables of all VIPs that both configurations have, of services that are not the same in both. */
    List<TableChange> of(Config running, Config next) {
        Map<ServiceKey, DesiredService> old = planned(before, differing(running, next));
        Map<ServiceKey, DesiredService> young = planned(after, differing(next, running));
        List<TableChange> changes = new ArrayList<>();
        young.forEach((key, service) -> {
            DesiredService was = old.get(key);
            if (was != null) {
                changes.add(change(was, service));
            }
        });
        return changes;
    }

    private static List<Service> differing(Config config, Config other) {
        Set<Service> same = new HashSet<>(other.services());
        return config.services().stream()
                .filter(service -> !same.contains(service))
                .toList();
    }

    private Map<ServiceKey, DesiredService> planned(Tables tables, List<Service> services) {
        Map<ServiceKey, DesiredService> planned = new LinkedHashMap<>();
        new Planner(tables).desired(services, this::up).forEach(service -> planned.put(service.key(), service));
        return planned;
    }

    private boolean up(RealKey key) {
        return !states.health().containsKey(key) || states.up(key);
    }

    private static TableChange change(DesiredService before, DesiredService after) {
        Optional<LookupTable> old = before.program().lookup();
        Optional<LookupTable> young = after.program().lookup();
        return new TableChange(
                after.service().name(),
                after.key().toString(),
                old.map(LookupTable::size).orElse(0),
                young.map(LookupTable::size).orElse(0),
                comparable(before.program(), after.program()),
                moved(before.program(), after.program()),
                digest(old),
                digest(young),
                Stream.of(hashing(before.program(), after.program()), levels(before, after))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("; ")));
    }

    private static int moved(ServiceProgram before, ServiceProgram after) {
        if (before.lookup().isEmpty() || after.lookup().isEmpty()) {
            return -1;
        }
        return comparable(before, after)
                ? after.table().moved(before.table())
                : after.table().size();
    }

    private static boolean comparable(ServiceProgram before, ServiceProgram after) {
        return before.lookup().isPresent()
                && after.lookup().isPresent()
                && before.table().size() == after.table().size()
                && hashing(before, after).isEmpty();
    }

    /** Equal slots say nothing if flows find others. */
    private static String hashing(ServiceProgram before, ServiceProgram after) {
        PacketKey old = before.packetKey();
        PacketKey young = after.packetKey();
        boolean alike = old.hashKey() == young.hashKey() && old.layout().equals(young.layout());
        return alike ? "" : "flows are hashed by another key";
    }

    private static String digest(Optional<LookupTable> table) {
        return table.map(known -> "%016x".formatted(known.digest())).orElse("");
    }

    /**
     * The kernel's Maglev has few levels of weights, and all reals share the unit: another weight of one may be another level
     * of all. Tables of ours have the weights themselves.
     */
    private static String levels(DesiredService before, DesiredService after) {
        Map<String, Integer> old = levels(before.program());
        Map<String, Integer> young = levels(after.program());
        Map<String, Integer> weights = new HashMap<>();
        before.service().reals().forEach(real -> weights.put(real.identity(), real.weight()));
        List<String> changed = new ArrayList<>();
        for (Real real : after.service().reals()) {
            String name = real.identity();
            Integer was = old.get(name);
            Integer is = young.get(name);
            boolean kept = Integer.valueOf(real.weight()).equals(weights.get(name));
            if (kept && was != null && is != null && !was.equals(is)) {
                changed.add(IpText.of(real.address()) + " " + was + " -> " + is);
            }
        }
        return changed.isEmpty()
                ? ""
                : "levels of mh change for reals whose weight stays: " + String.join(", ", changed);
    }

    private static Map<String, Integer> levels(ServiceProgram program) {
        Map<String, Integer> levels = new HashMap<>();
        program.lookup().ifPresent(table -> table.reals()
                .forEach((WeightedReal real) -> levels.put(real.identity(), real.weight())));
        return levels;
    }
}
