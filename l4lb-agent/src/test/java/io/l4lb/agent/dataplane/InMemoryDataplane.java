// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import static io.l4lb.test.Address.ip;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.decision.Gateway;
import io.l4lb.hashing.decision.NextHops;
import io.l4lb.hashing.decision.OuterSource;
import io.l4lb.hashing.decision.Settings;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.decision.Tunnel;
import io.l4lb.hashing.packet.MacAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A dataplane without a kernel; it passes the same contract test as the real one. */
public final class InMemoryDataplane implements Dataplane {
    /** Of the flow hash. */
    public static final HashSeed SEED = new HashSeed(1, 2);

    private final Map<ServiceKey, ObservedService> services = new HashMap<>();
    private final Map<ServiceKey, ServiceProgram> programs = new HashMap<>();
    private final Map<FlowKey, InetAddress> flows = new HashMap<>();
    private final Map<ServiceKey, String> refused = new HashMap<>();
    private final Map<InetAddress, String> unreachable = new LinkedHashMap<>();
    private final Map<Boolean, String> obstacles = new ConcurrentHashMap<>();
    private final Map<ServiceKey, Map<String, Counter>> notForwarded = new HashMap<>();
    private final List<RememberedFlow> table = new CopyOnWriteArrayList<>();
    private final InMemoryCaptures copies = new InMemoryCaptures();
    private String capturesRefused = "";
    private volatile Optional<String> noCaptures = Optional.empty();
    private Map<Integer, ProbePath> probes = Map.of();
    private Optional<List<String>> rules = Optional.empty();
    private String detached = "";
    private String blind = "";
    private final Set<ServiceKey> strange = new HashSet<>();
    private Set<Integer> foreign = Set.of();
    private boolean disturbed;
    private int installs;

    /** From now on it does not know that what it does for this service is its own, until it adopts it. */
    public void forget(ServiceKey key) {
        strange.add(key);
    }

    @Override
    public Set<ServiceKey> adopt(List<ServiceProgram> wanted) {
        Set<ServiceKey> adopted = wanted.stream().map(ServiceProgram::key).collect(Collectors.toSet());
        adopted.retainAll(strange);
        strange.removeAll(adopted);
        return adopted;
    }

    /** Fails every install of a service with this key, until called with an empty reason. */
    public void refuse(ServiceKey key, String reason) {
        if (reason.isEmpty()) {
            refused.remove(key);
        } else {
            refused.put(key, reason);
        }
    }

    /** Says that no packet can be sent to a real, or no probe to a VIP; an empty reason takes it back. */
    public void unreachable(InetAddress real, String reason) {
        if (reason.isEmpty()) {
            unreachable.remove(real);
        } else {
            unreachable.put(real, reason);
        }
    }

    /** Says that no packet gets to reals of a family before something is done; an empty text takes it back. */
    public void obstacle(boolean ipv4, String what) {
        if (what.isEmpty()) {
            obstacles.remove(ipv4);
        } else {
            obstacles.put(ipv4, what);
        }
    }

    /** Says that the programs are not where packets pass, and why; an empty reason puts them back. */
    public void detach(String reason) {
        detached = reason;
    }

    /** Fails every look at routes, until called with an empty reason. */
    public void blind(String reason) {
        blind = reason;
    }

    /** How many installs there have been. */
    public int installs() {
        return installs;
    }

    /** Somebody takes these marks, and does to the services what a test does besides; it is seen once. */
    public void disturb(Set<Integer> taken) {
        foreign = Set.copyOf(taken);
        disturbed = true;
    }

    @Override
    public boolean disturbed() {
        boolean result = disturbed;
        disturbed = false;
        return result;
    }

    @Override
    public Set<Integer> foreignMarks() {
        return foreign;
    }

    /** The marks as last set. */
    public Map<Integer, ProbePath> probes() {
        return probes;
    }

    @Override
    public Info info() {
        return new Info("memory", "none", "none", false, List.of());
    }

    @Override
    public void keepAttached() {
        if (!detached.isEmpty()) {
            throw new DataplaneException(detached);
        }
    }

    @Override
    public Map<ServiceKey, ObservedService> observe() {
        Map<ServiceKey, ObservedService> known = new HashMap<>(services);
        known.keySet().removeAll(strange);
        return known;
    }

    @Override
    public ObservedService install(ServiceProgram program) {
        String refusal = refused.getOrDefault(program.key(), "");
        if (!refusal.isEmpty()) {
            throw new DataplaneException(refusal);
        }
        installs++;
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
        ObservedService result = new TableService(
                program.key(),
                program.packetKey(),
                table.size(),
                table.digest(),
                slots,
                program.active(),
                program.active().isEmpty() ? Set.of() : Set.of(program.forwarding()));
        services.put(program.key(), result);
        programs.put(program.key(), program);
        return result;
    }

    @Override
    public void remove(Set<ServiceKey> keys) {
        services.keySet().removeAll(keys);
        programs.keySet().removeAll(keys);
    }

    @Override
    public void probes(Map<Integer, ProbePath> paths) {
        probes = Map.copyOf(paths);
    }

    @Override
    public Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> vips) {
        if (!blind.isEmpty()) {
            throw new DataplaneException(blind);
        }
        Map<InetAddress, String> problems = new LinkedHashMap<>(unreachable);
        problems.keySet().removeIf(address -> !reals.contains(address) && !vips.contains(address));
        return problems;
    }

    @Override
    public Optional<String> obstacle(Set<InetAddress> reals) {
        return reals.stream()
                .map(real -> obstacles.get(real instanceof Inet4Address))
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .reduce((one, other) -> one + ", " + other);
    }

    @Override
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        return Map.of();
    }

    /** Says that it is IPVS, and has these rules. */
    public void rules(List<String> lines) {
        rules = Optional.of(lines);
    }

    @Override
    public Optional<List<String>> ipvsadm() {
        return rules;
    }

    @Override
    public Map<String, Long> verdicts() {
        return Map.of();
    }

    /** Counts a packet of a service that goes to no real. */
    public void count(ServiceKey service, String verdict, Counter counter) {
        notForwarded.computeIfAbsent(service, unused -> new HashMap<>()).merge(verdict, counter, Counter::plus);
    }

    @Override
    public Statistics statistics() {
        Map<Event, Long> events = new EnumMap<>(Event.class);
        for (Event event : Event.values()) {
            events.put(event, 0L);
        }
        Map<ServiceKey, Map<String, Counter>> ofServices = new HashMap<>(notForwarded);
        ofServices.keySet().retainAll(services.keySet());
        return new Statistics(Map.of(), ofServices, events);
    }

    /** Remembers a flow as the flow table would show it. */
    public void remember(RememberedFlow flow) {
        table.add(flow);
    }

    @Override
    public FlowTable flowTable() {
        return new InMemoryFlowTable(List.copyOf(table));
    }

    /** Fails every attempt to copy packets, until called with an empty reason. */
    public void refuseCaptures(String reason) {
        capturesRefused = reason;
    }

    /** What reads copies, and makes them. */
    public InMemoryCaptures copies() {
        return copies;
    }

    /** Copies no packets at all, and says so. */
    public void copyNothing(String reason) {
        noCaptures = Optional.of(reason);
    }

    @Override
    public Optional<String> captureObstacle() {
        return noCaptures;
    }

    @Override
    public Captures captures() {
        if (!capturesRefused.isEmpty()) {
            throw new DataplaneException(capturesRefused);
        }
        return copies.open();
    }

    @Override
    public void sample(int every) {
        copies.sample(every);
    }

    @Override
    public Optional<ServiceProgram> installed(ServiceKey key) {
        return Optional.ofNullable(programs.get(key));
    }

    /** With a way to every real, and all answers that are given by default. */
    @Override
    public Settings settings() {
        Tunnel tunnel = new Tunnel(1500, new OuterSource(ip("10.0.0.2"), 0), new OuterSource(ip("fd00::2"), 0));
        Gateway gateway = new Gateway(new MacAddress(0x020000000001L));
        return new Settings(SEED, tunnel, new NextHops(gateway, gateway), Switches.DEFAULT);
    }

    /** Remembers where a flow goes, whichever service it is of. */
    public void remember(FlowKey flow, InetAddress real) {
        flows.put(flow, real);
    }

    @Override
    public Optional<InetAddress> remembered(ServiceKey service, FlowKey flow) {
        return installed(service).flatMap(program -> Optional.ofNullable(
                        flows.get(program.packetKey().hashKey().hashed(flow)))
                .filter(program.active()::contains));
    }

    @Override
    public void close() {}
}
