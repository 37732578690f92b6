// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.ForwardingMethod;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.NetlinkException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The services that the kernel's own schedulers serve. Only those that are ours are touched. For the reconcile thread alone. */
final class KernelServices {
    private static final System.Logger LOG = System.getLogger(KernelServices.class.getName());

    /** How many changes of a service the log has one by one. */
    private static final int TOLD = 8;

    private final Kernel kernel;
    private final Claims claims;
    private final Maglev maglev;
    private final Consumer<Runnable> keepingConnections;
    private final ServiceDrains drains;
    /** Those that nobody wants by the kernel's scheduler any more, but for the connections that they have. */
    private final Set<VirtualAddress> retired = new HashSet<>();

    private final Map<ServiceKey, KernelService> latest = new HashMap<>();
    /** Those that were installed since the agent started. */
    private final Set<VirtualAddress> settled = new HashSet<>();

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
        this.drains = new ServiceDrains(kernel, drainTimeout);
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
        for (ServiceEntry entry : kernel.services()) {
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
        List<Destination> listed = kernel.destinations(identity).stream()
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

    private Optional<KernelService> read(ServiceKey key) {
        VirtualAddress identity = Identities.of(key);
        return kernel.service(identity)
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
        present.ifPresent(found -> refuseForeign(found, identity, program, rule));
        if (present.isEmpty() && settled.contains(identity)) {
            LOG.log(System.Logger.Level.WARNING, "IPVS service {0} was gone, made again", identity);
        }
        ServiceDiff diff = present.map(found -> found.diff(rule)).orElseGet(() -> ServiceDiff.creation(rule));
        retired.remove(identity);
        Map<DestinationIdentity, Integer> nominal = nominal(present, rule);
        claims.claim(identity, certain(present, nominal));
        present.ifPresent(found -> tell(diff));
        if (diff.reorders()) {
            keepingConnections.accept(() -> kernel.apply(diff.changes()));
        } else if (present.isPresent()) {
            kernel.apply(diff.changes());
        } else {
            create(identity, diff.changes());
        }
        claims.claim(identity, nominal);
        settled.add(identity);
        KernelService result = read(program.key())
                .orElseThrow(() -> new DataplaneException("IPVS: " + identity + " is gone right after it was made"));
        drains.note(identity, result.listed(), rule, now);
        return result;
    }

    /** One whose scheduler cannot be set would stay there without any: it is taken out again. */
    private void create(VirtualAddress identity, List<IpvsChange> changes) {
        List<Optional<NetlinkException>> outcomes = kernel.tried(changes);
        IpvsChange last = changes.get(changes.size() - 1);
        if (last instanceof IpvsChange.EditService
                && outcomes.get(0).isEmpty()
                && outcomes.get(outcomes.size() - 1).isPresent()) {
            kernel.delete(List.of(new IpvsChange.DeleteService(identity)));
        }
        Kernel.check(outcomes);
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

    /**
     * Takes over services that are there and do what is wanted, but for weights and for reals that are down: an agent that
     * lost its state has left them.
     *
     * @param schedulers by service
     * @return those that were taken over
     */
    Set<ServiceKey> adopt(Map<ServiceProgram, KernelScheduler> schedulers) {
        Set<ServiceKey> adopted = new HashSet<>();
        if (schedulers.keySet().stream().allMatch(program -> claims.has(Identities.of(program.key())))) {
            return adopted;
        }
        Map<ServiceIdentity, ServiceSettings> present = new HashMap<>();
        kernel.services()
                .forEach(entry ->
                        present.put(entry.service().identity(), entry.service().settings()));
        schedulers.forEach((program, scheduler) -> {
            VirtualAddress identity = Identities.of(program.key());
            ServiceSettings settings = present.get(identity);
            if (settings == null || claims.has(identity)) {
                return;
            }
            KernelService found = read(program.key(), identity, settings);
            if (isAlike(found, program, ServiceRule.of(program, scheduler))) {
                takeOver(found, identity);
                adopted.add(program.key());
            }
        });
        return adopted;
    }

    private void takeOver(KernelService found, VirtualAddress identity) {
        Map<DestinationIdentity, Integer> weights = new LinkedHashMap<>();
        found.listed().stream()
                .filter(each -> each.settings().weight() > 0)
                .forEach(each -> weights.put(each.identity(), each.settings().weight()));
        claims.claim(identity, weights);
        LOG.log(System.Logger.Level.INFO, "IPVS service {0} is there already and does the same: taken over", identity);
    }

    /** Whichever of the reals are up. */
    private static boolean isAlike(KernelService found, ServiceProgram program, ServiceRule rule) {
        Set<InetAddress> reals =
                program.members().stream().map(ServiceProgram.Member::real).collect(Collectors.toSet());
        ForwardingMethod method = ServiceRule.method(program.forwarding());
        return found.settings().equals(rule.service().settings())
                && found.listed().stream()
                        .allMatch(each -> reals.contains(each.identity().address())
                                && each.identity().port() == program.key().port()
                                && each.settings().forwarding().equals(method));
    }

    /** One that does what we want of it already may as well be ours: an agent that lost its state has left it. */
    private void refuseForeign(KernelService found, VirtualAddress identity, ServiceProgram program, ServiceRule rule) {
        if (claims.has(identity)) {
            return;
        }
        if (!isAlike(found, program, rule)) {
            throw foreign(identity);
        }
        takeOver(found, identity);
    }

    /**
     * For one whose packets go by marks: they would never get to somebody else's.
     *
     * @throws DataplaneException there is a service of somebody else
     */
    void refuseForeign(ServiceKey key) {
        VirtualAddress identity = Identities.of(key);
        if (!claims.has(identity) && kernel.service(identity).isPresent()) {
            throw foreign(identity);
        }
    }

    private static DataplaneException foreign(VirtualAddress identity) {
        return new DataplaneException("IPVS has a service " + identity
                + " that is not ours, and is left alone: delete it (ipvsadm -D) if this one shall take its place");
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

    /** Takes out destinations and services that have no connections any more, or whose time is over. */
    void finishDrains(Instant now) {
        Set<VirtualAddress> left = drains.finish(now);
        retired.stream().filter(service -> !left.contains(service)).toList().forEach(this::delete);
    }

    /** Gives it no more connections, and lets it go when it has none. Nothing happens if it is not there. */
    void retire(ServiceKey key, Instant now) {
        VirtualAddress identity = Identities.of(key);
        if (claims.has(identity) && !retired.contains(identity)) {
            drains.drain(identity, now);
            retired.add(identity);
        }
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
