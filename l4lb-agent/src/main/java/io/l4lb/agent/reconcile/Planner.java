// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.quic.ServerId;
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
    private record TableKey(Scheduler scheduler, List<WeightedReal> reals, int size) {}

    private final HashSeed seed;
    private final Map<TableKey, LookupTable> tables = new HashMap<>();
    private final Set<TableKey> used = new HashSet<>();

    /**
     * A planner.
     *
     * @param seed of the site
     */
    public Planner(HashSeed seed) {
        this.seed = seed;
    }

    /**
     * What should be at each VIP of each service.
     *
     * @param up whether new flows may go to a real by a VIP
     */
    public List<DesiredService> desired(List<Service> services, Predicate<RealKey> up) {
        List<DesiredService> desired = new ArrayList<>();
        for (Service service : services) {
            for (ServiceKey key : ServiceKey.allOf(service)) {
                desired.add(desired(service, key, up));
            }
        }
        tables.keySet().retainAll(used);
        used.clear();
        return desired;
    }

    private DesiredService desired(Service service, ServiceKey key, Predicate<RealKey> up) {
        List<WeightedReal> weighted = new ArrayList<>();
        Set<InetAddress> active = new HashSet<>();
        int healthy = 0;
        int eligible = 0;
        for (Real real : service.reals()) {
            RealKey realKey = new RealKey(key, real.address());
            boolean serves = up.test(realKey);
            weighted.add(new WeightedReal(real.identity(), serves ? real.weight() : 0));
            if (serves) {
                active.add(real.address());
            }
            if (real.weight() > 0) {
                eligible++;
                healthy += serves ? 1 : 0;
            }
        }
        TableKey tableKey = new TableKey(
                service.balancing().scheduler(), weighted, service.balancing().tableSize());
        return new DesiredService(
                service,
                new ServiceProgram(
                        key, packetKey(service, active), service.balancing().forwarding(), table(tableKey), active),
                healthy,
                service.quorum().met(healthy, eligible),
                healthy == eligible,
                eligible == 0 && !active.isEmpty());
    }

    private static PacketKey packetKey(Service service, Set<InetAddress> active) {
        Map<ServerId, InetAddress> servers = new HashMap<>();
        for (Real real : service.reals()) {
            if (active.contains(real.address())) {
                real.serverId().ifPresent(serverId -> servers.put(serverId, real.address()));
            }
        }
        return new PacketKey(service.balancing().hashKey(), service.balancing().connectionIds(), servers);
    }

    private LookupTable table(TableKey key) {
        used.add(key);
        return tables.computeIfAbsent(key, absent -> key.scheduler().build(key.reals(), key.size(), seed));
    }

    /**
     * What is to be done.
     *
     * @param observed what the kernel does
     * @param announced VIPs that are announced by now
     * @param rested services whose reals have had the time to come up, see {@link Recovery}
     */
    public static Plan plan(
            List<DesiredService> desired,
            Map<ServiceKey, ObservedService> observed,
            Set<InetAddress> announced,
            Set<ServiceKey> rested) {
        Set<ServiceKey> removals = new HashSet<>(observed.keySet());
        Set<InetAddress> announce = new HashSet<>();
        List<DesiredService> installs = new ArrayList<>();
        for (DesiredService service : desired) {
            removals.remove(service.key());
            Optional<ObservedService> actual = Optional.ofNullable(observed.get(service.key()));
            boolean done = actual.isPresent() && actual.get().does(service.program());
            if (!done) {
                installs.add(service);
            }
            InetAddress vip = service.key().vip();
            boolean already = announced.contains(vip);
            // A new one waits until all reals are in, or had the time: with less than the whole table it would
            // break flows that routers move here. An announced one stays while a change is installed, if it forwards.
            boolean complete = service.full() || rested.contains(service.key());
            boolean serves = service.quorum() && (already ? done || forwards(actual) : done && complete);
            if (serves || (already && service.draining())) {
                announce.add(vip);
            }
        }
        return new Plan(announce, installs, removals);
    }

    private static boolean forwards(Optional<ObservedService> actual) {
        return actual.isPresent() && !actual.get().slots().isEmpty();
    }
}
