// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.LookupTable;
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
import java.util.stream.Collectors;

/**
 * Decides, and does nothing: the same arguments give the same answer. It remembers tables, since many
 * services have equal ones. For one thread.
 */
public final class Planner {
    private final Tables maker;
    private final Map<Tables.Request, Optional<LookupTable>> tables = new HashMap<>();
    private final Set<Tables.Request> used = new HashSet<>();

    /**
     * A planner.
     *
     * @param tables makes them as the dataplane has them
     */
    public Planner(Tables tables) {
        this.maker = tables;
    }

    /**
     * What should be at each VIP of each service, as long as some of its reals are up.
     *
     * @param up whether new flows may go to a real by a VIP
     */
    public List<DesiredService> desired(List<Service> services, Predicate<RealKey> up) {
        return desired(services, Belief.of(up));
    }

    /** What should be at each VIP of each service. */
    List<DesiredService> desired(List<Service> services, Belief belief) {
        List<DesiredService> desired = new ArrayList<>();
        for (Service service : services) {
            for (ServiceKey key : ServiceKey.allOf(service)) {
                desired.add(desired(service, key, belief));
            }
        }
        tables.keySet().retainAll(used);
        used.clear();
        return desired;
    }

    /** What these services are about: all reals up, and no tables. */
    static List<ServiceProgram> outlines(List<Service> services) {
        return services.stream()
                .flatMap(service -> ServiceKey.allOf(service).stream().map(key -> outline(service, key)))
                .toList();
    }

    private static ServiceProgram outline(Service service, ServiceKey key) {
        List<Member> members = service.reals().stream()
                .map(real -> new Member(real.address(), real.weight(), true))
                .toList();
        Set<InetAddress> reals = members.stream().map(Member::real).collect(Collectors.toSet());
        Balancing balancing = service.balancing();
        return new ServiceProgram(
                key,
                packetKey(service, reals),
                balancing.forwarding(),
                Optional.of(balancing.scheduling()),
                Optional.empty(),
                members);
    }

    private DesiredService desired(Service service, ServiceKey key, Belief belief) {
        List<Member> members = new ArrayList<>();
        int healthy = 0;
        int eligible = 0;
        for (Real real : service.reals()) {
            boolean up = !real.maintenance() && belief.up(new RealKey(key, real.address()));
            Member member = new Member(real.address(), real.weight(), up);
            members.add(member);
            eligible += Fallback.counts(real) ? 1 : 0;
            healthy += member.effectiveWeight() > 0 ? 1 : 0;
        }
        Optional<List<Member>> fallback =
                healthy > 0 ? Optional.empty() : Fallback.members(service, key, belief, members);
        return desired(service, key, fallback.orElse(members), new Count(healthy, eligible, fallback.isPresent()));
    }

    /** Reals with a weight above 0; how many of them are up. */
    private record Count(int healthy, int eligible, boolean fallback) {}

    private DesiredService desired(Service service, ServiceKey key, List<Member> members, Count count) {
        Balancing balancing = service.balancing();
        Set<InetAddress> active =
                members.stream().filter(Member::up).map(Member::real).collect(Collectors.toSet());
        ServiceProgram program = new ServiceProgram(
                key,
                packetKey(service, active),
                balancing.forwarding(),
                Optional.of(balancing.scheduling()),
                table(new Tables.Request(Optional.of(key), balancing.scheduling(), balancing.hashKey(), members)),
                members);
        return new DesiredService(
                service,
                program,
                count.healthy(),
                count.fallback() || service.quorum().met(count.healthy(), count.eligible()),
                count.fallback() || count.healthy() == count.eligible(),
                count.eligible() == 0 && !active.isEmpty());
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

    private Optional<LookupTable> table(Tables.Request request) {
        Tables.Request inputs = maker.inputs(request);
        used.add(inputs);
        return tables.computeIfAbsent(inputs, unused -> maker.table(request));
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
        return plan(desired, observed, announced, rested, Set.of());
    }

    /**
     * What is to be done.
     *
     * @param kept services that stay as the kernel has them for now, see {@link Handover}
     */
    static Plan plan(
            List<DesiredService> desired,
            Map<ServiceKey, ObservedService> observed,
            Set<InetAddress> announced,
            Set<ServiceKey> rested,
            Set<ServiceKey> kept) {
        Set<ServiceKey> removals = new HashSet<>(observed.keySet());
        Set<InetAddress> announce = new HashSet<>();
        Set<InetAddress> mended = new HashSet<>();
        List<DesiredService> installs = new ArrayList<>();
        for (DesiredService service : desired) {
            removals.remove(service.key());
            Optional<ObservedService> actual = Optional.ofNullable(observed.get(service.key()));
            if (kept.contains(service.key())) {
                announce.add(service.key().vip());
                continue;
            }
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
            } else if (already && service.quorum()) {
                mended.add(vip);
            }
        }
        return new Plan(announce, mended, installs, removals);
    }

    private static boolean forwards(Optional<ObservedService> actual) {
        return actual.isPresent() && actual.get().forwards();
    }
}
