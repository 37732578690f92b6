// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A dataplane without a kernel; it passes the same contract test as the real one. */
public final class InMemoryDataplane implements Dataplane {
    private final List<ObservedService> services = new ArrayList<>();
    private final Map<ServiceKey, String> refused = new HashMap<>();
    private final Map<InetAddress, String> unreachable = new LinkedHashMap<>();
    private Map<Integer, InetAddress> probes = Map.of();
    private int installs;

    /** Fails every install of a service with this key, until called with an empty reason. */
    public void refuse(ServiceKey key, String reason) {
        if (reason.isEmpty()) {
            refused.remove(key);
        } else {
            refused.put(key, reason);
        }
    }

    /** Says that no packet can be sent to a real; an empty reason takes it back. */
    public void unreachable(InetAddress real, String reason) {
        if (reason.isEmpty()) {
            unreachable.remove(real);
        } else {
            unreachable.put(real, reason);
        }
    }

    /** How many installs there have been. */
    public int installs() {
        return installs;
    }

    /** The marks as last set. */
    public Map<Integer, InetAddress> probes() {
        return probes;
    }

    @Override
    public Info info() {
        return new Info("memory", "none", "none", false, List.of());
    }

    @Override
    public List<ObservedService> observe() {
        return List.copyOf(services);
    }

    @Override
    public ObservedService install(ServiceProgram program) {
        for (ServiceKey key : program.keys()) {
            if (refused.containsKey(key)) {
                throw new DataplaneException(refused.get(key));
            }
        }
        installs++;
        Set<ServiceKey> keys = new HashSet<>(program.keys());
        Optional<ObservedService> previous = services.stream()
                .filter(service -> service.keys().stream().anyMatch(program.keys()::contains))
                .findFirst();
        previous.ifPresent(service -> keys.addAll(service.keys()));
        take(keys);
        LookupTable table = program.table();
        Map<InetAddress, Integer> slots = new HashMap<>();
        int[] count = table.slotsPerReal();
        for (int i = 0; i < count.length; i++) {
            String identity = table.reals().get(i).identity();
            int slotsOfReal = count[i];
            program.active().stream()
                    .filter(real -> slotsOfReal > 0 && real.getHostAddress().equals(identity))
                    .forEach(real -> slots.put(real, slotsOfReal));
        }
        ObservedService result = new ObservedService(keys, table.size(), table.digest(), slots, program.active());
        services.add(result);
        return result;
    }

    @Override
    public void remove(Set<ServiceKey> keys) {
        take(keys);
    }

    private void take(Set<ServiceKey> keys) {
        List<ObservedService> before = List.copyOf(services);
        services.clear();
        for (ObservedService service : before) {
            Set<ServiceKey> rest = new HashSet<>(service.keys());
            rest.removeAll(keys);
            if (!rest.isEmpty()) {
                services.add(new ObservedService(
                        rest, service.tableSize(), service.digest(), service.slots(), service.active()));
            }
        }
    }

    @Override
    public void probes(Map<Integer, InetAddress> reals) {
        probes = Map.copyOf(reals);
    }

    @Override
    public Map<InetAddress, String> follow(Set<InetAddress> reals) {
        Map<InetAddress, String> problems = new LinkedHashMap<>(unreachable);
        problems.keySet().retainAll(reals);
        return problems;
    }

    @Override
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        return Map.of();
    }

    @Override
    public Map<String, Long> verdicts() {
        return Map.of();
    }

    @Override
    public Optional<InetAddress> remembered(FlowKey flow) {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
