// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.agent.dataplane.ipvs.host.Incarnation;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.agent.dataplane.ipvs.host.LocalVips;
import io.l4lb.agent.dataplane.ipvs.host.MachineSettings;
import io.l4lb.agent.dataplane.ipvs.host.Modules;
import io.l4lb.agent.dataplane.ipvs.host.OwnedServices;
import io.l4lb.agent.dataplane.mark.Marker;
import io.l4lb.agent.dataplane.mark.Remains;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.Settings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.route.RouteTable;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * IPVS of this network namespace. Services that the kernel has a scheduler for are its own; of the others our program marks
 * the packets, and a service for each mark takes them on. For the reconcile thread alone.
 */
public final class IpvsDataplane implements Dataplane {
    private static final String NO_CAPTURES =
            "with dataplane = \"ipvs\" no packets are copied: use tcpdump on the interface that they come in by";

    private final IpvsParts parts;
    private final InstantSource clock;
    private final boolean adopted;
    private final List<String> stateNotes;
    private final Traffic traffic;
    private final HashSeed seed;
    private final MarkedServices marked;
    private final Patrol servicePatrol;
    private final Patrol markPatrol;
    private Map<Integer, ProbePath> probes;
    private Set<AddressFamily> families = Set.of();
    /** By address, as they were last observed. */
    private Set<ServiceIdentity> seen = Set.of();

    private IpvsDataplane(
            IpvsParts parts,
            InstantSource clock,
            boolean adopted,
            List<String> stateNotes,
            Traffic traffic,
            HashSeed seed) {
        this.parts = parts;
        this.clock = clock;
        this.adopted = adopted;
        this.stateNotes = List.copyOf(stateNotes);
        this.traffic = traffic;
        this.seed = seed;
        this.probes = parts.marks().owned();
        this.marked = new MarkedServices(parts, probes);
        this.servicePatrol = new Patrol(parts.kernel());
        this.markPatrol = new Patrol(parts.kernel());
    }

    /**
     * Takes over what a predecessor has left, which goes on forwarding all the while.
     *
     * @param stateDirectory the agent's, which says what in IPVS is ours
     * @param seed of the tables that are ours
     * @param clock that never goes back
     * @throws DataplaneException there is no IPVS, or the kernel refuses
     */
    public static IpvsDataplane open(IpvsSection section, Path stateDirectory, HashSeed seed, InstantSource clock) {
        return open(section, stateDirectory, seed, clock, Machine.THIS);
    }

    /** The same, for a kernel that is spoken to in another way. */
    public static IpvsDataplane open(
            IpvsSection section, Path stateDirectory, HashSeed seed, InstantSource clock, Machine machine) {
        Incarnation incarnation = Incarnation.current();
        Kernel kernel = new Kernel(machine.ipvs().get());
        MachineSettings settings = new MachineSettings(machine.sysctls(), stateDirectory, incarnation);
        Host host = new Host(LocalVips.open(), settings, RouteTable.open());
        try {
            OwnedServices owned = new OwnedServices(stateDirectory, incarnation);
            KeptMarks kept = new KeptMarks(stateDirectory, incarnation);
            Claims claims = new Claims(owned);
            KernelServices services = new KernelServices(
                    kernel, claims, section.maglev(), section.drainTimeout(), host::keepingConnections);
            MarkServices marks = new MarkServices(kernel, kept, section.drainTimeout());
            IpvsParts parts = new IpvsParts(
                    section,
                    kernel,
                    host,
                    services,
                    marks,
                    () -> Marker.open(section.interfaces(), section.pinDir(), seed));
            boolean adopted = !claims.addresses().isEmpty() || !marks.owned().isEmpty();
            List<String> notes = new ArrayList<>(owned.notes());
            notes.addAll(kept.notes());
            notes.addAll(settings.notes());
            Traffic traffic = new Traffic(parts, machine.connections(), new RecentCounters(kernel, clock));
            return new IpvsDataplane(parts, clock, adopted, notes, traffic, seed).started();
        } catch (RuntimeException e) {
            host.close();
            kernel.ipvs().close();
            throw e;
        }
    }

    /**
     * Where the kernel is spoken to.
     *
     * @param sysctls {@code /proc/sys}, or what stands for it
     * @param connections {@link ConnectionFile#OF_THREAD}, or what stands for it
     */
    public record Machine(Supplier<IpvsClient> ipvs, Path sysctls, Path connections) {
        static final Machine THIS = new Machine(Machine::client, Path.of("/proc/sys"), ConnectionFile.OF_THREAD);

        private static IpvsClient client() {
            try {
                return IpvsClient.open();
            } catch (NetlinkUnsupportedException e) {
                throw new DataplaneException(new Modules().missingIpvs(), e);
            } catch (NetlinkException e) {
                throw Kernel.refused(e);
            }
        }
    }

    private IpvsDataplane started() {
        IpvsSection section = parts.section();
        if (Files.isDirectory(section.pinDir()) && hasMarker(section)) {
            parts.takeOverMarker();
        }
        parts.setTimeouts();
        parts.host().want(Set.copyOf(section.interfaces()), false);
        parts.host().keep(clock.instant());
        return this;
    }

    /** An agent that could not attach its own has left the directory alone. */
    private static boolean hasMarker(IpvsSection section) {
        List<String> found = new ArrayList<>();
        try {
            new Remains(section.interfaces(), section.pinDir(), found::add).list();
        } catch (DataplaneException e) {
            return true; // to be on the safe side
        }
        return !found.isEmpty();
    }

    @Override
    public Info info() {
        return new Info("ipvs", String.join(", ", parts.section().interfaces()), "kernel", adopted, notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(stateNotes);
        parts.marker().map(Marker::notes).ifPresent(notes::addAll);
        parts.notTakenOver().ifPresent(notes::add);
        return notes;
    }

    @Override
    public void keepAttached() {
        Instant now = clock.instant();
        parts.host().keep(now);
        marked.takeOver(now);
        parts.marker().ifPresent(Marker::keepAttached);
        parts.services().finishDrains(now);
        if (parts.notTakenOver().isEmpty()) { // else it is not known which marks packets get
            parts.marks().finishDrains(now);
        }
    }

    @Override
    public boolean disturbed() {
        Set<ServiceIdentity> services =
                seen.stream().filter(parts.services()::owns).collect(Collectors.toSet());
        boolean gone = servicePatrol.misses(services)
                || markPatrol.misses(parts.marks().present());
        return gone || !parts.marks().contested().isEmpty();
    }

    @Override
    public Map<ServiceKey, ObservedService> observe() {
        Map<ServiceKey, ObservedService> observed =
                new LinkedHashMap<>(parts.services().observe());
        seen = observed.keySet().stream().map(Identities::of).collect(Collectors.toUnmodifiableSet());
        marked.observe(clock.instant()).forEach((key, service) -> {
            if (observed.put(key, service) != null) {
                // A predecessor ended while the kernel's kept its connections: packets go by marks before they get
                // there.
                parts.services().retire(key, clock.instant());
            }
        });
        parts.marks().repair();
        parts.host().wantVips(vips(observed.keySet()));
        return observed;
    }

    @Override
    public Set<ServiceKey> adopt(List<ServiceProgram> wanted) {
        Map<ServiceProgram, KernelScheduler> schedulers = new LinkedHashMap<>();
        wanted.forEach(program -> KernelSchedulers.of(program, parts.section().maglev())
                .ifPresent(scheduler -> schedulers.put(program, scheduler)));
        return parts.services().adopt(schedulers);
    }

    @Override
    public ObservedService install(ServiceProgram program) {
        traffic.changed();
        ServiceKey key = program.key();
        parts.host().addVip(key.vip());
        Optional<KernelScheduler> scheduler =
                KernelSchedulers.of(program, parts.section().maglev());
        if (scheduler.isEmpty()) {
            parts.services().refuseForeign(key);
            ObservedService result = marked.install(program, clock.instant());
            parts.services().retire(key, clock.instant());
            return result;
        }
        ObservedService result = parts.services().install(program, scheduler.get(), clock.instant());
        marked.remove(Set.of(key), clock.instant());
        return result;
    }

    @Override
    public void remove(Set<ServiceKey> keys) {
        traffic.changed();
        parts.services().remove(keys);
        marked.remove(keys, clock.instant());
        Set<InetAddress> gone = vips(keys);
        gone.removeAll(vips(parts.marker().map(Marker::keys).orElse(Set.of())));
        parts.services().ours().forEach(left -> gone.remove(left.address()));
        if (parts.notTakenOver().isEmpty()) { // else it is not known which VIPs have services that are marked
            gone.forEach(parts.host()::removeVip);
        }
    }

    private static Set<InetAddress> vips(Set<ServiceKey> services) {
        return services.stream().map(ServiceKey::vip).collect(Collectors.toCollection(HashSet::new));
    }

    @Override
    public void probes(Map<Integer, ProbePath> paths) {
        probes = Map.copyOf(paths);
        marked.setMarks(probes);
        boolean masquerade = paths.values().stream().anyMatch(path -> path.forwarding() == Forwarding.MASQUERADE);
        parts.host().want(Set.copyOf(parts.section().interfaces()), masquerade);
        parts.marks().set(probes, families, clock.instant());
        marked.remark(clock.instant());
    }

    @Override
    public Map<Integer, ProbePath> marks() {
        return parts.marks().owned();
    }

    @Override
    public Set<Integer> foreignMarks() {
        return parts.marks().foreign();
    }

    @Override
    public Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> wantedVips) {
        Set<AddressFamily> now = wantedVips.stream().map(AddressFamily::of).collect(Collectors.toSet());
        if (!now.equals(families)) {
            families = now;
            parts.marks().set(probes, families, clock.instant());
        }
        return parts.host().follow(reals, wantedVips);
    }

    @Override
    public Optional<String> obstacle(Set<InetAddress> reals) {
        return Optional.empty();
    }

    @Override
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        return traffic.counters(key);
    }

    @Override
    public Optional<List<String>> ipvsadm() {
        return Optional.of(new SavedRules(parts.kernel(), this::owns).lines());
    }

    private boolean owns(ServiceIdentity service) {
        return service instanceof FirewallMark mark
                ? parts.marks().owns(mark)
                : parts.services().owns(service);
    }

    @Override
    public Map<String, Long> verdicts() {
        Map<String, Long> verdicts = new LinkedHashMap<>();
        statistics().verdicts().forEach((verdict, counter) -> verdicts.put(verdict, counter.packets()));
        return verdicts;
    }

    @Override
    public Statistics statistics() {
        return traffic.statistics();
    }

    @Override
    public FlowTable flowTable() {
        return traffic.flowTable();
    }

    @Override
    public Optional<String> captureObstacle() {
        return Optional.of(NO_CAPTURES);
    }

    @Override
    public Captures captures() {
        throw notOfIpvs();
    }

    @Override
    public void sample(int every) {
        if (every != 0) {
            throw notOfIpvs();
        }
    }

    private static DataplaneException notOfIpvs() {
        return new DataplaneException(NO_CAPTURES);
    }

    @Override
    public Optional<ServiceProgram> installed(ServiceKey key) {
        return parts.marker()
                .flatMap(marker -> marker.installed(key))
                .or(() -> parts.services().installed(key).map(KernelService::program));
    }

    @Override
    public Settings settings() {
        return IpvsPackets.settings(seed);
    }

    /** What becomes of packets, among these services. */
    public IpvsPackets packets(Set<ServiceKey> services) {
        return new IpvsPackets(parts, traffic, seed, services);
    }

    @Override
    public Optional<InetAddress> remembered(ServiceKey service, FlowKey flow) {
        return traffic.find(flow).found().map(Connection::real).filter(real -> installed(service)
                .filter(program -> program.members().stream()
                        .anyMatch(member -> member.real().equals(real)))
                .isPresent());
    }

    @Override
    public void close() {
        parts.close();
    }
}
