// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ipvs.ServiceRule.Wanted;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.VirtualAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The services that the kernel's own schedulers serve. Only those that are ours are touched. For the reconcile thread alone. */
final class KernelServices {
    private static final System.Logger LOG = System.getLogger(KernelServices.class.getName());

    /** How many changes of a service the log has one by one. */
    private static final int TOLD = 8;

    private final Kernel kernel;
    private final Claims claims;
    private final Maglev maglev;
    private final Consumer<Runnable> keepingConnections;
    private final Drains<Draining> drains;
    /** Those that nobody wants by the kernel's scheduler any more, but for the connections that they have. */
    private final Set<VirtualAddress> retired = new HashSet<>();

    private final Map<ServiceKey, KernelService> latest = new HashMap<>();
    /** Those that were installed since the agent started. */
    private final Set<VirtualAddress> settled = new HashSet<>();

    private record Draining(VirtualAddress service, DestinationIdentity destination, boolean leaves) {}

    /**
     * Services in the kernel.
     *
     * @param maglev who makes the tables of Maglev
     * @param drainTimeout how long a real that is configured no more keeps its connections
     * @param keepingConnections does something while connections of destinations that are taken out are kept for their return
     */
    KernelServices(
            Kernel kernel, Claims claims, Maglev maglev, Duration drainTimeout, Consumer<Runnable> keepingConnections) {
        this.kernel = kernel;
        this.claims = claims;
        this.maglev = maglev;
        this.drains = new Drains<>(drainTimeout);
        this.keepingConnections = keepingConnections;
    }

    /** Whether a service is ours, those included that only keep their connections. */
    boolean owns(ServiceIdentity service) {
        return claims.has(service);
    }

    /** What is ours, and what only keeps its connections. */
    Set<VirtualAddress> ours() {
        return claims.addresses();
    }

    /** All that are ours. */
    Map<ServiceKey, KernelService> observe() {
        Map<ServiceKey, KernelService> services = new LinkedHashMap<>();
        Set<VirtualAddress> ours = claims.addresses();
        if (ours.isEmpty()) {
            return services;
        }
        for (ServiceEntry entry : kernel.asked(kernel.ipvs()::services)) {
            Service service = entry.service();
            if (service.identity() instanceof VirtualAddress address
                    && ours.contains(address)
                    && !retired.contains(address)) {
                Identities.key(address).ifPresent(key -> services.put(key, read(key, address, service.settings())));
            }
        }
        return services;
    }

    private KernelService read(ServiceKey key, VirtualAddress identity, ServiceSettings settings) {
        List<Destination> listed = destinations(identity).stream()
                .map(DestinationEntry::destination)
                .toList();
        KernelService found = new KernelService(new KernelService.Facts(
                key, settings, listed, claims.nominal(identity), maglev, settled.contains(identity)));
        // One that is as it was has its table already.
        KernelService result =
                Optional.ofNullable(latest.get(key)).filter(found::equals).orElse(found);
        latest.put(key, result);
        return result;
    }

    private List<DestinationEntry> destinations(VirtualAddress identity) {
        return kernel.asked(() -> kernel.ipvs().destinations(identity));
    }

    private Optional<KernelService> read(ServiceKey key) {
        VirtualAddress identity = Identities.of(key);
        return kernel.asked(() -> kernel.ipvs().service(identity))
                .map(entry -> read(key, identity, entry.service().settings()));
    }

    Optional<KernelService> installed(ServiceKey key) {
        return claims.has(Identities.of(key)) && !retired.contains(Identities.of(key)) ? read(key) : Optional.empty();
    }

    /**
     * Makes the kernel do what is said, with as few changes as there can be.
     *
     * @throws DataplaneException the kernel refuses, or has a service of somebody else there
     */
    KernelService install(ServiceProgram program, KernelScheduler scheduler, Instant now) {
        ServiceRule rule = ServiceRule.of(program, scheduler);
        VirtualAddress identity = Identities.of(program.key());
        Optional<KernelService> present = read(program.key());
        present.ifPresent(found -> refuseForeign(found, identity, rule));
        ServiceDiff diff = present.map(found -> found.diff(rule)).orElseGet(() -> ServiceDiff.creation(rule));
        retired.remove(identity);
        Map<DestinationIdentity, Integer> nominal = nominal(present, rule);
        claims.claim(identity, certain(present, nominal));
        present.ifPresent(found -> tell(diff));
        if (diff.reorders()) {
            keepingConnections.accept(() -> kernel.apply(diff.changes()));
        } else if (!diff.isEmpty()) {
            kernel.apply(diff.changes());
        }
        claims.claim(identity, nominal);
        settled.add(identity);
        KernelService result = read(program.key())
                .orElseThrow(() -> new DataplaneException("IPVS: " + identity + " is gone right after it was made"));
        drain(identity, result, rule, now);
        return result;
    }

    /** What destinations had before counts for those that only keep connections: they keep their slots as well. */
    private static Map<DestinationIdentity, Integer> nominal(Optional<KernelService> present, ServiceRule rule) {
        Map<DestinationIdentity, Integer> nominal = new LinkedHashMap<>();
        present.ifPresent(found -> found.listed().forEach(each -> {
            int last = found.lastWeight(each);
            if (last > 0) {
                nominal.put(each.identity(), last);
            }
        }));
        rule.wanted().stream()
                .filter(wanted -> wanted.nominal() > 0)
                .forEach(wanted -> nominal.put(wanted.identity(), wanted.nominal()));
        nominal.keySet().removeAll(rule.dead());
        return nominal;
    }

    /**
     * Without those at a weight of 0 whose nominal one is to change: if that goes wrong on the way, nobody can tell which of
     * them the kernel has.
     */
    private static Map<DestinationIdentity, Integer> certain(
            Optional<KernelService> present, Map<DestinationIdentity, Integer> nominal) {
        Map<DestinationIdentity, Integer> certain = new LinkedHashMap<>(nominal);
        present.ifPresent(found -> found.listed().stream()
                .filter(each -> each.settings().weight() == 0
                        && found.lastWeight(each) != nominal.getOrDefault(each.identity(), 0))
                .forEach(each -> certain.remove(each.identity())));
        return certain;
    }

    /** One that does what we want of it already may as well be ours: an agent that lost its state has left it. */
    private void refuseForeign(KernelService found, VirtualAddress identity, ServiceRule rule) {
        if (claims.has(identity)) {
            return;
        }
        Map<DestinationIdentity, Wanted> wanted = new HashMap<>();
        rule.wanted().forEach(each -> wanted.put(each.identity(), each));
        boolean alike = found.settings().equals(rule.service().settings())
                && found.listed().stream()
                        .allMatch(each -> wanted.containsKey(each.identity())
                                && wanted.get(each.identity())
                                        .destination()
                                        .settings()
                                        .forwarding()
                                        .equals(each.settings().forwarding()));
        if (!alike) {
            throw new DataplaneException("IPVS has a service " + identity
                    + " that is not ours, and is left alone: delete it (ipvsadm -D) if this one shall take its place");
        }
        LOG.log(System.Logger.Level.INFO, "IPVS service {0} is there already and does the same: taken over", identity);
    }

    /** What is changed of a service that is there: after a change by somebody else nothing else says so. */
    private static void tell(ServiceDiff diff) {
        List<IpvsChange> changes = diff.changes();
        changes.stream()
                .limit(TOLD)
                .forEach(change -> LOG.log(System.Logger.Level.INFO, "IPVS: {0}", change.operation()));
        if (changes.size() > TOLD) {
            LOG.log(System.Logger.Level.INFO, "IPVS: and {0} changes more", changes.size() - TOLD);
        }
    }

    /** Notes what of a service only keeps its connections. */
    private void drain(VirtualAddress identity, KernelService result, ServiceRule rule, Instant now) {
        Set<DestinationIdentity> wanted = new HashSet<>();
        rule.wanted().forEach(each -> wanted.add(each.identity()));
        Set<Draining> draining = new HashSet<>(drains.all());
        draining.removeIf(each -> each.service().equals(identity));
        for (Destination each : result.listed()) {
            if (!wanted.contains(each.identity())) {
                draining.add(
                        new Draining(identity, each.identity(), !rule.drained().contains(each.identity())));
            }
        }
        drains.set(draining, now);
    }

    /** Takes out destinations and services that have no connections any more, or whose time is over. */
    void finishDrains(Instant now) {
        Map<VirtualAddress, List<Draining>> byService = new HashMap<>();
        drains.all().forEach(each -> byService
                .computeIfAbsent(each.service(), unused -> new ArrayList<>())
                .add(each));
        Set<Draining> left = new HashSet<>(drains.all());
        byService.forEach((service, draining) -> left.removeAll(finish(service, draining, now)));
        drains.set(left, now);
        for (VirtualAddress service : Set.copyOf(retired)) {
            if (byService.getOrDefault(service, List.of()).stream().noneMatch(left::contains)) {
                delete(service);
            }
        }
    }

    private Set<Draining> finish(VirtualAddress service, List<Draining> draining, Instant now) {
        Map<DestinationIdentity, DestinationEntry> entries = new HashMap<>();
        destinations(service).forEach(entry -> entries.put(entry.destination().identity(), entry));
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

    /** Gives it no more connections, and lets it go when it has none. Nothing happens if it is not there. */
    void retire(ServiceKey key, Instant now) {
        VirtualAddress identity = Identities.of(key);
        if (!claims.has(identity) || retired.contains(identity)) {
            return;
        }
        List<IpvsChange> changes = new ArrayList<>();
        Set<Draining> draining = new HashSet<>(drains.all());
        for (DestinationEntry entry : destinations(identity)) {
            draining.add(new Draining(identity, entry.destination().identity(), true));
            changes.add(
                    new IpvsChange.EditDestination(identity, entry.destination().withWeight(0)));
        }
        kernel.delete(changes);
        drains.set(draining, now);
        retired.add(identity);
    }

    /** Removes services with their connections; those that are not there, or not ours, are ignored. */
    void remove(Set<ServiceKey> keys) {
        keys.stream().map(Identities::of).filter(claims::has).forEach(this::delete);
    }

    private void delete(VirtualAddress identity) {
        kernel.delete(List.of(new IpvsChange.DeleteService(identity)));
        claims.release(identity);
        retired.remove(identity);
        settled.remove(identity);
        Identities.key(identity).ifPresent(latest::remove);
    }
}
