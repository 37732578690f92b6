// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Services in the maps of the balancer: keys, lookup tables and reals. What is written is written in such an order that
 * a packet always finds a whole table of reals that exist. For one thread.
 */
final class ServiceMaps {
    /** {@code L4LB_NO_REAL}: a slot that names nobody. */
    static final int NO_REAL = -1;

    private final Maps maps;
    private final Map<ServiceKey, ServiceValue> services = new LinkedHashMap<>();
    private Numbers numbers = new Numbers(0, Map.of());

    /** The maps of the balancer that hold services. */
    record Maps(BpfMap services, BpfMap tables, BpfMap reals, BpfMap flows, BpfMap counters) {}

    /** Starts with what is in the maps, so that nothing that is there is taken for free. */
    ServiceMaps(Maps maps) {
        this.maps = maps;
        read();
    }

    /** Reads everything from the kernel. */
    List<ObservedService> observe() {
        read();
        return services.values().stream().distinct().map(this::observed).collect(Collectors.toList());
    }

    private void read() {
        services.clear();
        for (byte[] bytes : maps.services.keys()) {
            Optional<ByteBuffer> value = maps.services.lookup(ByteBuffer.wrap(bytes));
            KeyLayout.decode(bytes)
                    .ifPresent(key -> value.ifPresent(found -> services.put(key, ServiceValue.decode(found))));
        }
        numbers = new Numbers(maps.reals.maxEntries(), readReals());
    }

    private Map<Integer, RealValue> readReals() {
        Map<Integer, RealValue> reals = new HashMap<>();
        for (int number = 0; number < maps.reals.maxEntries(); number++) {
            RealValue real = RealValue.decode(maps.reals.lookup(index(number)).orElseThrow());
            if (real.address().isAnyLocalAddress()) {
                break; // numbers are taken one after the other and never given back: the rest is unused
            }
            reals.put(number, real);
        }
        return reals;
    }

    private ObservedService observed(ServiceValue service) {
        int[] table = readTable(service);
        Map<InetAddress, Integer> slots = new HashMap<>();
        for (int slot : table) {
            numbers.real(slot).ifPresent(real -> slots.merge(real.address(), 1, Integer::sum));
        }
        Set<InetAddress> active = numbers.reals().values().stream()
                .filter(real -> real.service() == service.id() && real.active())
                .map(RealValue::address)
                .collect(Collectors.toSet());
        return new ObservedService(
                keysOf(service), service.tableSize(), named(table).digest(), slots, active);
    }

    /** The table with identities in the place of numbers; a number that is not known names nobody. */
    private LookupTable named(int[] slots) {
        SortedMap<String, Integer> identities = new TreeMap<>();
        for (int slot : slots) {
            numbers.real(slot).ifPresent(real -> identities.put(real.address().getHostAddress(), 0));
        }
        List<WeightedReal> reals = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : identities.entrySet()) {
            entry.setValue(reals.size());
            reals.add(new WeightedReal(entry.getKey(), 1));
        }
        int[] named = Arrays.stream(slots)
                .map(slot -> numbers.real(slot)
                        .map(real -> identities.getOrDefault(real.address().getHostAddress(), NO_REAL))
                        .orElse(NO_REAL))
                .toArray();
        return LookupTable.of(reals, named);
    }

    private Set<ServiceKey> keysOf(ServiceValue service) {
        return services.entrySet().stream()
                .filter(entry -> entry.getValue().equals(service))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** The slots of a service's table: numbers of reals. One that is missing, or of another size, has one empty slot. */
    private int[] readTable(ServiceValue service) {
        try (BpfMap table = maps.tables.inner(service.table()).orElse(null)) {
            return table == null || table.maxEntries() != service.tableSize() ? new int[] {NO_REAL} : table.readAll();
        }
    }

    /** Makes a service forward as said. */
    ObservedService install(ServiceProgram program) {
        Optional<ServiceValue> previous = program.keys().stream()
                .map(services::get)
                .filter(Objects::nonNull)
                .findFirst();
        ServiceValue service = placeFor(program, previous);
        Map<String, Integer> named = activate(service.id(), program);
        writeTable(service, program.table(), named);
        Set<ServiceValue> displaced = new HashSet<>();
        for (ServiceKey key : program.keys()) {
            point(key, service).ifPresent(displaced::add);
        }
        displaced.forEach(value -> release(value, service));
        deactivate(service.id(), program.active());
        return observed(service);
    }

    /** Cleans up after a service to which a key led before it led to another. */
    private void release(ServiceValue displaced, ServiceValue successor) {
        if (displaced.id() == successor.id()) {
            // The table's size changed: keys that are about to be removed move too, so that the old table is free.
            keysOf(displaced).forEach(key -> point(key, successor));
            maps.tables.delete(index(displaced.table()));
        } else if (keysOf(displaced).isEmpty()) {
            forget(displaced);
        }
    }

    private void forget(ServiceValue service) {
        deactivate(service.id(), Set.of());
        maps.tables.delete(index(service.table()));
    }

    private ServiceValue placeFor(ServiceProgram program, Optional<ServiceValue> previous) {
        int size = program.table().size();
        if (previous.isPresent() && previous.get().tableSize() == size) {
            return previous.get();
        }
        Set<Integer> ids = new HashSet<>();
        Set<Integer> tables = new HashSet<>();
        services.values().forEach(value -> {
            ids.add(value.id());
            tables.add(value.table());
        });
        int limit = maps.tables.maxEntries();
        int id = previous.map(ServiceValue::id).orElseGet(() -> lowestFree(ids, limit));
        return new ServiceValue(id, lowestFree(tables, limit), size);
    }

    private static int lowestFree(Set<Integer> used, int limit) {
        for (int i = 0; i < limit; i++) {
            if (!used.contains(i)) {
                return i;
            }
        }
        throw new DataplaneException("the map of lookup tables is full: " + limit + " services");
    }

    /** Makes every real of the program known to the kernel; returns their numbers by identity. */
    private Map<String, Integer> activate(int service, ServiceProgram program) {
        Map<String, Integer> named = new HashMap<>();
        for (InetAddress address : program.active()) {
            int number = numbers.numberFor(service, address, this::namedByFlows);
            write(number, new RealValue(address, service, true));
            named.put(address.getHostAddress(), number);
        }
        return named;
    }

    private void deactivate(int service, Set<InetAddress> active) {
        numbers.reals().forEach((number, real) -> {
            if (real.service() == service && real.active() && !active.contains(real.address())) {
                write(number, new RealValue(real.address(), service, false));
            }
        });
    }

    private void write(int number, RealValue real) {
        if (!numbers.real(number).equals(Optional.of(real))) {
            maps.reals.update(index(number), real.encode(), UpdateMode.ANY);
            numbers.put(number, real);
        }
    }

    private void writeTable(ServiceValue service, LookupTable table, Map<String, Integer> named) {
        int[] numberOf = table.reals().stream()
                .mapToInt(real -> named.getOrDefault(real.identity(), NO_REAL))
                .toArray();
        int[] slots = new int[table.size()];
        for (int i = 0; i < slots.length; i++) {
            int real = table.slot(i);
            slots[i] = real == LookupTable.NO_REAL ? NO_REAL : numberOf[real];
        }
        try (BpfMap inner = BpfMap.createArray("table", Integer.BYTES, slots.length, BpfMap.INNER_MAP)) {
            inner.writeAll(slots);
            maps.tables.updateFd(service.table(), inner);
        }
    }

    /** Makes a key lead to a service; returns the one that it led to before, if that was another. */
    private Optional<ServiceValue> point(ServiceKey key, ServiceValue service) {
        ServiceValue previous = services.get(key);
        if (service.equals(previous)) {
            return Optional.empty();
        }
        maps.services.update(KeyLayout.encode(key), service.encode(), UpdateMode.ANY);
        services.put(key, service);
        return Optional.ofNullable(previous);
    }

    /** Stops forwarding for these keys; a service that no key leads to any more is forgotten. */
    void remove(Set<ServiceKey> keys) {
        for (ServiceKey key : keys) {
            ServiceValue service = services.get(key);
            if (service == null) {
                continue;
            }
            maps.services.delete(KeyLayout.encode(key));
            services.remove(key);
            if (keysOf(service).isEmpty()) {
                forget(service);
            }
        }
    }

    /** Traffic by real. */
    Map<InetAddress, Counter> counters(ServiceKey key) {
        ServiceValue service = services.get(key);
        Map<InetAddress, Counter> counters = new HashMap<>();
        if (service != null) {
            numbers.reals().forEach((number, real) -> {
                if (real.service() == service.id()) {
                    counters.put(real.address(), PerCpuCounter.read(maps.counters, number));
                }
            });
        }
        return counters;
    }

    /** The real that the kernel would take for a flow because it remembers it. */
    Optional<InetAddress> remembered(FlowKey flow, ServiceKey key) {
        ServiceValue service = services.get(key);
        return maps.flows
                .lookup(ByteBuffer.wrap(flow.encode()))
                .flatMap(value -> numbers.real(firstInt(value)))
                .filter(real -> service != null && real.active() && real.service() == service.id())
                .map(RealValue::address);
    }

    private Set<Integer> namedByFlows() {
        Set<Integer> named = new HashSet<>();
        for (byte[] flow : maps.flows.keys()) {
            maps.flows.lookup(ByteBuffer.wrap(flow)).ifPresent(value -> named.add(firstInt(value)));
        }
        return named;
    }

    private static int firstInt(ByteBuffer value) {
        return value.duplicate().order(ByteOrder.nativeOrder()).getInt();
    }

    private static ByteBuffer index(int index) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(index)
                .flip();
    }
}
