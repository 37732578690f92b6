// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.SchedulerName;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides, and does nothing: the same arguments give the same answer. It remembers tables that it built, since equal
 * reals and weights give an equal table. For one thread.
 */
public final class Planner {
    private record TableKey(SchedulerName scheduler, List<WeightedReal> reals, int size) {}

    private final HashSeed seed;
    private Map<TableKey, LookupTable> tables = new HashMap<>();

    /**
     * A planner.
     *
     * @param seed of the site
     */
    public Planner(HashSeed seed) {
        this.seed = seed;
    }

    /**
     * What each service should be.
     *
     * @param up whether new flows may go to a real
     */
    public List<DesiredService> desired(List<Service> services, Predicate<RealKey> up) {
        Map<TableKey, LookupTable> used = new HashMap<>();
        List<DesiredService> desired = new ArrayList<>();
        for (Service service : services) {
            desired.add(desired(service, up, used));
        }
        tables = used;
        return desired;
    }

    private DesiredService desired(Service service, Predicate<RealKey> up, Map<TableKey, LookupTable> used) {
        List<WeightedReal> weighted = new ArrayList<>();
        Set<InetAddress> active = new HashSet<>();
        int healthy = 0;
        int eligible = 0;
        for (Real real : service.reals()) {
            boolean serves = up.test(new RealKey(service.name(), real.address()));
            weighted.add(new WeightedReal(real.identity(), serves ? real.weight() : 0));
            if (serves) {
                active.add(real.address());
            }
            if (real.weight() > 0) {
                eligible++;
                healthy += serves ? 1 : 0;
            }
        }
        TableKey key = new TableKey(
                service.balancing().scheduler(), weighted, service.balancing().tableSize());
        LookupTable table = used.computeIfAbsent(key, this::table);
        return new DesiredService(
                service,
                new ServiceProgram(ServiceKey.of(service), table, active),
                healthy,
                service.quorum().met(healthy, eligible));
    }

    private LookupTable table(TableKey key) {
        LookupTable known = tables.get(key);
        return known != null
                ? known
                : switch (key.scheduler()) {
                    case MAGLEV -> Scheduler.MAGLEV.build(key.reals(), key.size(), seed);
                };
    }

    /**
     * What is to be done.
     *
     * @param observed what the kernel does
     * @param announced VIPs that are announced by now
     */
    public static Plan plan(List<DesiredService> desired, List<ObservedService> observed, Set<InetAddress> announced) {
        Set<ServiceKey> wanted = new HashSet<>();
        Set<InetAddress> announce = new HashSet<>();
        List<DesiredService> installs = new ArrayList<>();
        for (DesiredService service : desired) {
            wanted.addAll(service.program().keys());
            Optional<ObservedService> actual = observedFor(service, observed);
            boolean done = actual.isPresent() && actual.get().does(service.program());
            if (!done) {
                installs.add(service);
            }
            if (service.quorum()) {
                service.service().frontend().vips().stream()
                        .filter(vip -> done || (announced.contains(vip) && forwards(actual, service, vip)))
                        .forEach(announce::add);
            }
        }
        Set<ServiceKey> removals = new HashSet<>();
        observed.forEach(service -> removals.addAll(service.keys()));
        removals.removeAll(wanted);
        return new Plan(announce, installs, removals);
    }

    /** The kernel's service that a wanted one continues: the one that its first known key leads to. */
    public static Optional<ObservedService> observedFor(DesiredService desired, List<ObservedService> observed) {
        return ServiceKey.of(desired.service()).stream()
                .flatMap(key ->
                        observed.stream().filter(service -> service.keys().contains(key)))
                .findFirst();
    }

    private static boolean forwards(Optional<ObservedService> actual, DesiredService service, InetAddress vip) {
        ServiceKey key = new ServiceKey(
                vip,
                service.service().frontend().protocol(),
                service.service().frontend().port());
        return actual.isPresent()
                && actual.get().keys().contains(key)
                && !actual.get().slots().isEmpty();
    }
}
