// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A service for each mark, with the one real that it stands for. Probes find their real by it. Packets of services whose
 * tables are ours have another mark for the same way, since probes have to go on to a real that is down while the connections
 * that it had shall go to another. For the reconcile thread alone.
 */
final class MarkServices {
    /** How many are looked at in one pass, of those that nobody is likely to have changed. */
    private static final int CHECKS = 256;

    /** From the mark of a way's probes to that of its packets. */
    private static final int OF_PACKETS = 0x10000;

    private static final ServiceSettings ONE_DESTINATION = ServiceSettings.of(KernelScheduler.RR.key());

    private final Kernel kernel;
    private final KeptMarks file;
    private final Drains<FirewallMark> drains;
    /** Marks that are ours, those that drain included. */
    private final Map<Integer, ProbePath> owned;
    /** As far as is known; of a service that was only seen in a list nothing is. */
    private final Map<FirewallMark, Optional<Wanted>> present = new HashMap<>();

    private final Deque<FirewallMark> toCheck = new ArrayDeque<>();
    private Map<Integer, ProbePath> paths = Map.of();
    private Set<AddressFamily> families = Set.of();
    /** By the mark of packets, whether their real is up. */
    private Map<Integer, Boolean> packets = Map.of();
    /** Whether something was refused, so that what is present has to be looked up. */
    private boolean uncertain;

    /** Takes over what a predecessor left. */
    MarkServices(Kernel kernel, KeptMarks file, Duration drainTimeout) {
        this.kernel = kernel;
        this.file = file;
        this.drains = new Drains<>(drainTimeout);
        this.owned = new LinkedHashMap<>(file.marks());
        list();
    }

    private void list() {
        Set<FirewallMark> found = new HashSet<>();
        for (ServiceEntry entry : kernel.asked(kernel.ipvs()::services)) {
            Service service = entry.service();
            if (service.identity() instanceof FirewallMark mark
                    && path(mark.mark()).isPresent()) {
                found.add(mark);
                if (!service.settings().equals(ONE_DESTINATION)) {
                    kernel.apply(List.of(new IpvsChange.EditService(new Service(mark, ONE_DESTINATION))));
                }
            }
        }
        present.keySet().retainAll(found);
        found.forEach(mark -> present.putIfAbsent(mark, Optional.empty()));
    }

    /** The real of each mark that is ours. */
    Map<Integer, ProbePath> owned() {
        return Map.copyOf(owned);
    }

    /** Those that still have connections, and a mark that stands for nothing any more. */
    Set<FirewallMark> draining() {
        return drains.all();
    }

    /**
     * Sets all marks.
     *
     * @param wantedFamilies of the VIPs to which marked packets go
     */
    void set(Map<Integer, ProbePath> wanted, Set<AddressFamily> wantedFamilies, Instant now) {
        paths = Map.copyOf(wanted);
        families = Set.copyOf(wantedFamilies);
        owned.putAll(paths);
        file.saveMarks(owned);
        writeAll();
        drain(now);
    }

    private void drain(Instant now) {
        Set<FirewallMark> unwanted = new HashSet<>(present.keySet());
        unwanted.removeIf(mark -> wanted(mark).isPresent());
        drains.set(unwanted, now);
        forget();
    }

    /** The way of a mark that is ours, of probes or of packets. */
    Optional<ProbePath> path(int mark) {
        return path(owned, mark);
    }

    /**
     * The same.
     *
     * @param owned by the marks of probes, which are those that are kept
     */
    static Optional<ProbePath> path(Map<Integer, ProbePath> owned, int mark) {
        return Optional.ofNullable(owned.get(mark)).or(() -> Optional.ofNullable(owned.get(mark - OF_PACKETS)));
    }

    /** The mark of the packets that go the way of these probes. */
    static int ofPackets(int probes) {
        return probes + OF_PACKETS;
    }

    /** What the marks of packets stand for. */
    Map<Integer, ProbePath> ways() {
        Map<Integer, ProbePath> ways = new HashMap<>();
        owned.forEach((mark, path) -> ways.put(ofPackets(mark), path));
        return ways;
    }

    /** By mark, whether the real of packets is up, as it was last set. */
    Map<Integer, Boolean> packets() {
        return packets;
    }

    /** The reals that packets find by a mark. */
    Set<InetAddress> packetReals() {
        Set<InetAddress> reals = new HashSet<>();
        packets.forEach((mark, up) -> path(mark).filter(way -> up).ifPresent(way -> reals.add(way.real())));
        return reals;
    }

    /**
     * Sets which ways packets go by mark.
     *
     * @param alive by the mark of packets, whether their real is up: else its connections go to others with their next packet
     */
    void setPackets(Map<Integer, Boolean> alive, Instant now) {
        if (alive.equals(packets) && !uncertain) {
            return;
        }
        packets = Map.copyOf(alive);
        writeAll();
        drain(now);
    }

    /** What shall be at a mark: a destination, or none for a real that is down; empty: no service at all. */
    private Optional<Wanted> wanted(FirewallMark mark) {
        boolean probes = paths.containsKey(mark.mark());
        Boolean alive = packets.get(mark.mark());
        if (!probes && alive == null) {
            return Optional.empty();
        }
        return path(mark.mark())
                .filter(path -> families.contains(mark.family()) && suits(path, mark.family()))
                .map(path -> new Wanted(probes || Boolean.TRUE.equals(alive) ? List.of(destination(path)) : List.of()));
    }

    private static Destination destination(ProbePath path) {
        return new Destination(
                new DestinationIdentity(path.real(), 0),
                DestinationSettings.of(1, ServiceRule.method(path.forwarding())));
    }

    /** One, or none. */
    private record Wanted(List<Destination> destinations) {}

    /** A tunnel carries either family; the others leave the packet's own header. */
    private static boolean suits(ProbePath path, AddressFamily family) {
        return path.forwarding().isTunnel() || AddressFamily.of(path.real()) == family;
    }

    private void writeAll() {
        if (uncertain) {
            list();
        }
        List<IpvsChange> changes = new ArrayList<>();
        Map<FirewallMark, Optional<Wanted>> done = new HashMap<>();
        Set<Integer> numbers = new LinkedHashSet<>(paths.keySet());
        numbers.addAll(packets.keySet());
        for (int number : numbers) {
            for (AddressFamily family : families) {
                FirewallMark mark = new FirewallMark(number, family);
                Optional<Wanted> wanted = wanted(mark);
                if (wanted.isPresent() && !wanted.equals(present.get(mark))) {
                    changes.addAll(changes(mark, wanted.get().destinations()));
                    done.put(mark, wanted);
                }
            }
        }
        uncertain = true;
        kernel.apply(changes);
        uncertain = false;
        present.putAll(done);
    }

    private List<IpvsChange> changes(FirewallMark mark, List<Destination> wanted) {
        List<IpvsChange> changes = new ArrayList<>();
        Map<DestinationIdentity, Destination> missing = new LinkedHashMap<>();
        wanted.forEach(each -> missing.put(each.identity(), each));
        if (!present.containsKey(mark)) {
            changes.add(new IpvsChange.AddService(new Service(mark, ONE_DESTINATION)));
        } else {
            for (DestinationEntry entry : destinations(mark)) {
                Destination found = entry.destination();
                Optional<Destination> asked = Optional.ofNullable(missing.remove(found.identity()));
                if (asked.isEmpty()) {
                    changes.add(new IpvsChange.DeleteDestination(mark, found.identity()));
                } else if (!asked.get().equals(found)) {
                    changes.add(new IpvsChange.EditDestination(mark, asked.get()));
                }
            }
        }
        missing.values().forEach(each -> changes.add(new IpvsChange.AddDestination(mark, each)));
        return changes;
    }

    private List<DestinationEntry> destinations(FirewallMark mark) {
        return kernel.asked(() -> kernel.ipvs().destinations(mark));
    }

    /** Puts right what somebody else has changed: services at once, their destinations some each time. */
    void repair() {
        list();
        if (toCheck.isEmpty()) {
            toCheck.addAll(present.keySet());
        }
        for (int i = 0; i < CHECKS && !toCheck.isEmpty(); i++) {
            present.replace(toCheck.remove(), Optional.empty());
        }
        writeAll();
    }

    /** Removes those that no packet will have any more, and that have no connections, or whose time is over. */
    void finishDrains(Instant now) {
        List<IpvsChange> changes = new ArrayList<>();
        List<FirewallMark> done = new ArrayList<>();
        for (FirewallMark mark : drains.all().stream().limit(CHECKS).toList()) {
            if (drains.over(mark, now) || destinations(mark).stream().allMatch(KernelServices::isIdle)) {
                changes.add(new IpvsChange.DeleteService(mark));
                done.add(mark);
            }
        }
        if (done.isEmpty()) {
            return;
        }
        kernel.delete(changes);
        done.forEach(present::remove);
        Set<FirewallMark> left = new HashSet<>(drains.all());
        done.forEach(left::remove);
        drains.set(left, now);
        forget();
    }

    private void forget() {
        Set<Integer> used = new HashSet<>(paths.keySet());
        present.keySet().forEach(mark -> {
            used.add(mark.mark());
            used.add(mark.mark() - OF_PACKETS);
        });
        if (owned.keySet().retainAll(used)) {
            file.saveMarks(owned);
        }
    }
}
