// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
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
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
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
 * that it had shall go to another. A service of somebody else is never touched, whatever its mark. For the reconcile thread
 * alone.
 */
final class MarkServices {
    private static final System.Logger LOG = System.getLogger(MarkServices.class.getName());

    /** How many services the log names at once. */
    private static final int TOLD = 8;

    /** How many are looked at in one pass, of those that nobody is likely to have changed. */
    private static final int CHECKS = 256;

    /** From the mark of a way's probes to that of its packets. */
    private static final int OF_PACKETS = 0x10000;

    static final ServiceSettings ONE_DESTINATION = ServiceSettings.of(KernelScheduler.RR.key());

    private final Kernel kernel;
    private final OwnedMarks owned;
    private final Drains<FirewallMark> drains;
    /** Where we want a service, and somebody else has one. */
    private Set<FirewallMark> contested = Set.of();
    /** Ours that were there, and then were not. */
    private final Set<FirewallMark> gone = new HashSet<>();
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
        this.drains = new Drains<>(drainTimeout);
        this.owned = new OwnedMarks(file);
        owned.adopt(new LostMarks(kernel, owned.ways().keySet()).among(services()));
        list();
    }

    /** All that IPVS has by mark, of whomever. */
    private List<Service> services() {
        return kernel.services().stream()
                .map(ServiceEntry::service)
                .filter(service -> service.identity() instanceof FirewallMark)
                .toList();
    }

    private void list() {
        Set<FirewallMark> found = new HashSet<>();
        Set<FirewallMark> others = new HashSet<>();
        for (Service service : services()) {
            FirewallMark mark = (FirewallMark) service.identity();
            if (!owned.has(mark)) {
                others.add(mark);
                continue;
            }
            found.add(mark);
            if (!service.settings().equals(ONE_DESTINATION)) {
                kernel.apply(List.of(new IpvsChange.EditService(new Service(mark, ONE_DESTINATION))));
            }
        }
        owned.setForeign(others);
        present.keySet().stream().filter(mark -> !found.contains(mark)).forEach(gone::add);
        present.keySet().retainAll(found);
        found.forEach(mark -> present.putIfAbsent(mark, Optional.empty()));
    }

    /** Whether a service is ours, those that drain included. */
    boolean owns(FirewallMark mark) {
        return owned.has(mark);
    }

    /** Those that are ours and are there, as far as is known. */
    Set<FirewallMark> present() {
        return Collections.unmodifiableSet(present.keySet());
    }

    /** Where a service of ours should be, but one of somebody else is, which is left alone. */
    Set<FirewallMark> contested() {
        return contested;
    }

    /** The marks of probes that are not to be given, since somebody else has a service at them or at that of their packets. */
    Set<Integer> foreign() {
        list();
        return owned.avoided();
    }

    /** What is wrong where somebody else has a service that should be ours. */
    static DataplaneException foreign(FirewallMark mark) {
        return new DataplaneException("IPVS has a service " + mark
                + " that is not ours, and is left alone: the next try is with another mark");
    }

    /** The real of each mark that is ours. */
    Map<Integer, ProbePath> owned() {
        return owned.ways();
    }

    /** Those that still have connections, and a mark that stands for nothing any more. */
    Set<FirewallMark> draining() {
        return drains.all();
    }

    /**
     * Sets all marks.
     *
     * @param wantedFamilies of the VIPs to which marked packets go
     * @throws DataplaneException the kernel refuses, or somebody else has a service at a mark; all others are set then
     */
    void set(Map<Integer, ProbePath> wanted, Set<AddressFamily> wantedFamilies, Instant now) {
        paths = Map.copyOf(wanted);
        families = Set.copyOf(wantedFamilies);
        owned.add(paths);
        writeAll();
        drain(now);
        for (FirewallMark mark : contested) {
            if (paths.containsKey(mark.mark())) {
                throw foreign(mark);
            }
        }
    }

    private void drain(Instant now) {
        Set<FirewallMark> unwanted = new HashSet<>(present.keySet());
        unwanted.removeIf(mark -> wanted(mark).isPresent());
        drains.set(unwanted, now);
        forget();
    }

    /** The way of a mark that is ours, of probes or of packets. */
    Optional<ProbePath> path(int mark) {
        return owned.path(mark);
    }

    /** The mark of the packets that go the way of these probes. */
    static int ofPackets(int probes) {
        return probes + OF_PACKETS;
    }

    /** What the marks of packets stand for. */
    Map<Integer, ProbePath> ways() {
        Map<Integer, ProbePath> ways = new HashMap<>();
        owned.ways().forEach((mark, path) -> ways.put(ofPackets(mark), path));
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
        if (alive.equals(packets) && !uncertain && contested.isEmpty()) {
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
    static boolean suits(ProbePath path, AddressFamily family) {
        return path.forwarding().isTunnel() || AddressFamily.of(path.real()) == family;
    }

    private void writeAll() {
        // Somebody else's may have gone since.
        if (uncertain || !Collections.disjoint(due().keySet(), owned.foreign())) {
            list();
        }
        Map<FirewallMark, Optional<Wanted>> due = due();
        Set<FirewallMark> disputed = new HashSet<>(due.keySet());
        disputed.retainAll(owned.foreign());
        contested = disputed;
        due.keySet().removeAll(disputed);
        uncertain = true;
        Set<FirewallMark> missing = new LinkedHashSet<>(due.keySet());
        missing.removeAll(present.keySet());
        Optional<NetlinkException> failure = make(missing);
        due.keySet().removeIf(mark -> missing.contains(mark) && !present.containsKey(mark));
        List<IpvsChange> changes = new ArrayList<>();
        due.forEach((mark, wanted) ->
                wanted.ifPresent(each -> changes.addAll(changes(mark, each.destinations(), missing.contains(mark)))));
        kernel.apply(changes);
        if (failure.isPresent()) {
            throw Kernel.refused(failure.get());
        }
        uncertain = false;
        Set<FirewallMark> made = new HashSet<>(gone);
        made.retainAll(due.keySet());
        gone.clear();
        tellMade(made);
        present.putAll(due);
    }

    /** What is to be at marks where it is not, or where nobody knows. */
    private Map<FirewallMark, Optional<Wanted>> due() {
        Map<FirewallMark, Optional<Wanted>> due = new LinkedHashMap<>();
        Set<Integer> numbers = new LinkedHashSet<>(paths.keySet());
        numbers.addAll(packets.keySet());
        for (int number : numbers) {
            for (AddressFamily family : families) {
                FirewallMark mark = new FirewallMark(number, family);
                Optional<Wanted> wanted = wanted(mark);
                if (wanted.isPresent() && !wanted.equals(present.get(mark))) {
                    due.put(mark, wanted);
                }
            }
        }
        return due;
    }

    /**
     * Makes services that are missing. It is known that they are ours before they get destinations: else somebody else's
     * would.
     *
     * @return the first refusal, unless somebody else was quicker
     */
    private Optional<NetlinkException> make(Set<FirewallMark> missing) {
        Set<FirewallMark> claimed = new HashSet<>(owned.claim(missing));
        List<FirewallMark> tried = List.copyOf(missing);
        List<IpvsChange> changes = tried.stream()
                .<IpvsChange>map(mark -> new IpvsChange.AddService(new Service(mark, ONE_DESTINATION)))
                .toList();
        List<Optional<NetlinkException>> outcomes = kernel.tried(changes);
        List<NetlinkException> refusals = new ArrayList<>();
        Set<FirewallMark> disputed = new HashSet<>(contested);
        for (int i = 0; i < outcomes.size(); i++) {
            FirewallMark mark = tried.get(i);
            Optional<NetlinkException> refusal = outcomes.get(i);
            if (refusal.isEmpty()) {
                present.put(mark, Optional.empty());
                claimed.remove(mark);
            } else if (claimed.contains(mark) && refusal.get().is(Errno.EEXIST)) {
                disputed.add(mark);
            } else {
                refusals.add(refusal.get());
            }
        }
        contested = disputed;
        owned.release(claimed);
        return refusals.stream().findFirst();
    }

    /** Probes have failed since, and nothing else says why. */
    private static void tellMade(Set<FirewallMark> made) {
        made.stream()
                .limit(TOLD)
                .forEach(mark -> LOG.log(System.Logger.Level.WARNING, "IPVS service {0} was gone, made again", mark));
        if (made.size() > TOLD) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "and {0} IPVS services by mark more were gone, made again",
                    made.size() - TOLD);
        }
    }

    private List<IpvsChange> changes(FirewallMark mark, List<Destination> wanted, boolean isNew) {
        List<IpvsChange> changes = new ArrayList<>();
        Map<DestinationIdentity, Destination> missing = new LinkedHashMap<>();
        wanted.forEach(each -> missing.put(each.identity(), each));
        if (!isNew) {
            for (DestinationEntry entry : kernel.destinations(mark)) {
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
            if (drains.over(mark, now) || kernel.destinations(mark).stream().allMatch(ServiceDrains::isIdle)) {
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
        owned.retain(used, mark -> present.containsKey(mark) || wanted(mark).isPresent());
    }
}
