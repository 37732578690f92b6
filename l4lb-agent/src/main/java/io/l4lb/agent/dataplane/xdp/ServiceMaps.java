// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.TableService;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.function.Predicate;

/**
 * Services in the maps of the balancer, or of another program that has the same: VIPs, keys, lookup tables, reals and server IDs. What is written is written in
 * such an order that a packet always finds a whole table of reals that exist, and no server ID of a real that it may not
 * go to. For one thread.
 */
public final class ServiceMaps {
    private final ServiceEntries entries;
    private final Maps maps;
    private final Vips vips;
    private final ServerIds serverIds;
    private final Flows flows;
    private final Map<ServiceKey, ServiceValue> services;
    private final Map<ServiceKey, Reading> readings = new HashMap<>();
    private Numbers numbers = new Numbers(0, Map.of());

    /** Where services lead to. */
    record Maps(BpfMap tables, BpfMap reals, BpfMap counters) {}

    /** What a table was when it was last read; tables are replaced, not changed, so it holds while the map's id does. */
    private record Reading(ServiceValue service, int mapId, long digest, Map<InetAddress, Integer> slots) {}

    /** Starts with what is in the maps, so that nothing that is there is taken for free. */
    ServiceMaps(ServiceEntries entries, Maps maps, Vips vips, ServerIds serverIds, Flows flows) {
        this.entries = entries;
        this.services = entries.known();
        this.maps = maps;
        this.vips = vips;
        this.serverIds = serverIds;
        this.flows = flows;
        read();
    }

    /**
     * Of a program that remembers no flows.
     *
     * @param maps by name; they stay the caller's
     */
    public static ServiceMaps withoutFlows(Function<String, BpfMap> maps) {
        return of(maps, Flows.none());
    }

    /** The same for one that remembers these. */
    static ServiceMaps of(Function<String, BpfMap> maps, Flows flows) {
        return new ServiceMaps(
                new ServiceEntries(maps.apply("services"), maps.apply("service_generation")),
                new Maps(maps.apply("tables"), maps.apply("reals"), maps.apply("real_counters")),
                new Vips(maps.apply("vips"), maps.apply("vip_filter")),
                new ServerIds(maps.apply("server_ids")),
                flows);
    }

    /** Reads everything from the kernel, but slots that were read before. */
    public Map<ServiceKey, TableService> observe() {
        read();
        Map<ServiceKey, TableService> observed = new LinkedHashMap<>();
        services.keySet().forEach(key -> observed.put(key, observed(key)));
        readings.keySet().retainAll(observed.keySet());
        return observed;
    }

    private void read() {
        entries.read();
        Numbers before = numbers;
        numbers = new Numbers(maps.reals.maxEntries(), readReals());
        if (!before.reals().equals(numbers.reals())) {
            readings.clear(); // somebody else wrote: numbers may stand for other reals now
        }
        serverIds.read();
        vips.read();
        vips.follow(services.keySet()); // an earlier version wrote none
    }

    private Map<Integer, RealValue> readReals() {
        Map<Integer, RealValue> reals = new HashMap<>();
        for (int number = 0; number < maps.reals.maxEntries(); number++) {
            RealValue real =
                    RealValue.decode(maps.reals.lookup(Word.encode(number)).orElseThrow());
            if (real.address().isAnyLocalAddress()) {
                break; // numbers are taken one after the other and never given back: the rest is unused
            }
            reals.put(number, real);
        }
        return reals;
    }

    private TableService observed(ServiceKey key) {
        ServiceValue service = valueOf(key);
        int mapId = maps.tables
                .lookup(Word.encode(service.table()))
                .map(Word::decode)
                .orElse(0);
        Reading reading = readings.get(key);
        if (reading == null || mapId == 0 || mapId != reading.mapId || !service.equals(reading.service)) {
            Slots slots = readTable(service);
            reading = new Reading(service, mapId, slots.table(numbers).digest(), slots.perReal(numbers));
            readings.put(key, reading);
        }
        return new TableService(
                key,
                packetKey(service),
                service.tableSize(),
                reading.digest,
                reading.slots,
                numbers.active(service.id()),
                numbers.forwarding(service.id()));
    }

    /** A server ID whose number is none of the service's names nobody. */
    private PacketKey packetKey(ServiceValue service) {
        Map<ServerId, InetAddress> servers = new HashMap<>();
        serverIds.of(service.id()).forEach((serverId, number) -> numbers.real(number)
                .filter(real -> real.service() == service.id())
                .ifPresent(real -> servers.put(serverId, real.address())));
        return new PacketKey(service.hashKey(), service.layout(), servers);
    }

    private ServiceValue valueOf(ServiceKey key) {
        ServiceValue service = services.get(key);
        if (service == null) {
            throw new IllegalStateException(key + " is not installed");
        }
        return service;
    }

    /** The slots of a service's table. One that is missing, or of another size, has one slot that names nobody. */
    private Slots readTable(ServiceValue service) {
        try (BpfMap table = maps.tables.inner(service.table()).orElse(null)) {
            return table == null || table.maxEntries() != service.tableSize()
                    ? new Slots(new int[] {Slots.NO_REAL})
                    : new Slots(table.readAll());
        }
    }

    /** Makes a service forward as said. */
    public TableService install(ServiceProgram program) {
        return install(program, (real, number) -> {});
    }

    /**
     * The same for a program that knows more of reals than is in these maps.
     *
     * @param before gets the number of each real before packets can go to it by that
     */
    public TableService install(ServiceProgram program, ObjIntConsumer<InetAddress> before) {
        ServiceKey key = program.key();
        Optional<ServiceValue> previous = Optional.ofNullable(services.get(key));
        ServiceValue service = placeFor(program);
        Map<String, Integer> numberOf = activate(service.id(), program, before);
        serverIds.write(service.id(), numbersOf(program.packetKey().servers(), numberOf));
        Slots slots = Slots.of(program.table(), numberOf);
        int mapId = writeTable(service, slots);
        if (!previous.equals(Optional.of(service))) {
            vips.admit(key, services.keySet());
            entries.put(key, service);
            previous.ifPresent(this::release);
        }
        serverIds.retain(service.id(), program.packetKey().servers().keySet());
        deactivate(service.id(), program.active());
        readings.put(key, new Reading(service, mapId, slots.table(numbers).digest(), slots.perReal(numbers)));
        return observed(key);
    }

    private static Map<ServerId, Integer> numbersOf(Map<ServerId, InetAddress> servers, Map<String, Integer> numberOf) {
        Map<ServerId, Integer> numbers = new HashMap<>();
        servers.forEach((serverId, real) -> Optional.ofNullable(numberOf.get(Real.identity(real)))
                .ifPresent(number -> numbers.put(serverId, number)));
        return numbers;
    }

    /**
     * Where the service is; or a new place: another size of table, another key or layout change together with the
     * table's index.
     */
    private ServiceValue placeFor(ServiceProgram program) {
        ServiceKey key = program.key();
        PacketKey packetKey = program.packetKey();
        Set<Integer> ids = new HashSet<>();
        Set<Integer> tables = new HashSet<>();
        services.forEach((other, value) -> {
            if (!other.equals(key)) {
                ids.add(value.id());
            }
            tables.add(value.table());
        });
        Optional<ServiceValue> own = Optional.ofNullable(services.get(key)).filter(value -> !ids.contains(value.id()));
        int size = program.table().size();
        int limit = maps.tables.maxEntries();
        int id = own.map(ServiceValue::id).orElseGet(() -> freeId(ids, limit));
        int table = own.map(ServiceValue::table).orElse(0);
        ServiceValue same = new ServiceValue(id, table, size, packetKey.hashKey(), packetKey.layout());
        return own.equals(Optional.of(same))
                ? same
                : new ServiceValue(id, lowestFree(tables, limit), size, packetKey.hashKey(), packetKey.layout());
    }

    /** One that no service has had, if there is: what is remembered of a service goes by its id. */
    private int freeId(Set<Integer> used, int limit) {
        Set<Integer> known = numbers.services();
        known.addAll(used);
        return lowestFree(known.size() < limit ? known : used, limit);
    }

    private static int lowestFree(Set<Integer> used, int limit) {
        for (int i = 0; i < limit; i++) {
            if (!used.contains(i)) {
                return i;
            }
        }
        throw new DataplaneException("the map of lookup tables is full: " + limit + " of them");
    }

    /** Makes reals known to the kernel; returns their numbers by identity. */
    private Map<String, Integer> activate(int service, ServiceProgram program, ObjIntConsumer<InetAddress> before) {
        Map<String, Integer> numberOf = new HashMap<>();
        for (InetAddress address : program.active()) {
            int number = numbers.numberFor(service, address, flows::named);
            before.accept(address, number);
            write(number, new RealValue(address, service, true, program.forwarding()));
            numberOf.put(Real.identity(address), number);
        }
        return numberOf;
    }

    private void deactivate(int service, Set<InetAddress> active) {
        numbers.of(service).forEach((address, number) -> {
            if (!active.contains(address)) {
                numbers.real(number).ifPresent(real -> write(number, real.inactive()));
            }
        });
    }

    private void write(int number, RealValue real) {
        if (!numbers.real(number).equals(Optional.of(real))) {
            maps.reals.update(Word.encode(number), real.encode(), UpdateMode.ANY);
            numbers.put(number, real);
        }
    }

    /** Swaps in a new table once it was read back; returns the id of its map. */
    private int writeTable(ServiceValue service, Slots slots) {
        try (BpfMap inner = BpfMap.createArray("table", Integer.BYTES, slots.numbers().length, BpfMap.INNER_MAP)) {
            inner.writeAll(slots.numbers());
            if (!Arrays.equals(slots.numbers(), inner.readAll())) {
                throw new DataplaneException("a lookup table reads back otherwise than it was written");
            }
            maps.tables.updateFd(service.table(), inner);
            return inner.id();
        }
    }

    /** Frees the table of a place that a service has left, and its reals unless they are still the service's. */
    private void release(ServiceValue left) {
        boolean idInUse = services.values().stream().anyMatch(value -> value.id() == left.id());
        boolean tableInUse = services.values().stream().anyMatch(value -> value.table() == left.table());
        if (!idInUse) {
            serverIds.retain(left.id(), Set.of());
            deactivate(left.id(), Set.of());
        }
        if (!tableInUse) {
            maps.tables.delete(Word.encode(left.table()));
        }
    }

    /** What the kernel has for a service, as it would be installed. */
    public Optional<ServiceProgram> installed(ServiceKey key) {
        return Optional.ofNullable(services.get(key)).map(service -> {
            Set<InetAddress> active = numbers.active(service.id());
            return new ServiceProgram(
                    key,
                    packetKey(service).onlyOf(active),
                    numbers.forwarding(service.id()).stream().findFirst().orElse(Forwarding.IPIP),
                    readTable(service).table(numbers),
                    active);
        });
    }

    /** Stops forwarding for these keys. */
    public void remove(Set<ServiceKey> keys) {
        Map<ServiceKey, ServiceValue> left = new LinkedHashMap<>(services);
        left.keySet().retainAll(keys);
        entries.remove(left.keySet());
        readings.keySet().removeAll(left.keySet());
        left.values().forEach(this::release);
        vips.follow(services.keySet());
    }

    /** The services by id. */
    public Map<Integer, ServiceKey> byId() {
        Map<Integer, ServiceKey> keys = new HashMap<>();
        services.forEach((key, value) -> keys.put(value.id(), key));
        return keys;
    }

    /** The numbers of a service's reals to which packets may go; empty: no such service. */
    public Map<InetAddress, Integer> numbers(ServiceKey key) {
        ServiceValue service = services.get(key);
        Map<InetAddress, Integer> active = new HashMap<>();
        if (service != null) {
            active.putAll(numbers.of(service.id()));
            active.keySet().retainAll(numbers.active(service.id()));
        }
        return active;
    }

    /** What the ids of services and the numbers of reals stand for. */
    FlowEntries.Known known() {
        return new FlowEntries.Known(byId(), numbers.reals());
    }

    /** Traffic by real. */
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        ServiceValue service = services.get(key);
        Map<InetAddress, Counter> counters = new HashMap<>();
        if (service != null) {
            numbers.of(service.id())
                    .forEach((address, number) -> counters.put(address, PerCpuCounter.read(maps.counters, number)));
        }
        return counters;
    }

    /**
     * The real that the kernel would take for a flow because it remembers it.
     *
     * @param live whether an entry still counts
     */
    Optional<InetAddress> remembered(ServiceKey key, FlowKey flow, Predicate<FlowValue> live) {
        ServiceValue service = services.get(key);
        if (service == null) {
            return Optional.empty();
        }
        return flows.of(FlowName.of(service.id(), service.hashKey().hashed(flow)))
                .filter(live)
                .flatMap(remembered -> numbers.real(remembered.real()))
                .filter(real -> real.active() && real.service() == service.id())
                .map(RealValue::address);
    }
}
