// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.FlowTable.Fill;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.agent.dataplane.mark.Marker;
import io.l4lb.hashing.FlowKey;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What IPVS and the program that marks packets tell of traffic. For the reconcile thread alone. */
final class Traffic {
    /** Of so many connections one is looked for; a kernel before 6.14 takes a fifth of a second for these. */
    static final int SEARCHED = 65536;

    private final IpvsParts parts;
    private final Path connections;
    private final RecentCounters recent;

    /**
     * What is told.
     *
     * @param connections the file of IPVS's connections
     */
    Traffic(IpvsParts parts, Path connections, RecentCounters recent) {
        this.parts = parts;
        this.connections = connections;
        this.recent = recent;
    }

    /** Services or reals have changed: nothing that was read before is told any more. */
    void changed() {
        recent.forget();
    }

    /** By real, what went to it. */
    Map<InetAddress, Counter> counters(ServiceKey key) {
        Map<InetAddress, Counter> marked =
                parts.marker().map(marker -> marker.counters(key)).orElse(Map.of());
        if (!marked.isEmpty() || !parts.services().owns(Identities.of(key))) {
            return marked;
        }
        Map<InetAddress, Counter> counters = new HashMap<>();
        for (DestinationEntry entry : recent.destinations(Identities.of(key))) {
            counters.put(
                    entry.destination().identity().address(),
                    new Counter(
                            entry.statistics().incomingPackets(),
                            entry.statistics().incomingBytes()));
        }
        return counters;
    }

    /** Of the services that there are: those of a service end with it. */
    Statistics statistics() {
        Counter forwarded = new Counter(0, 0);
        long scheduled = 0;
        for (ServiceEntry entry : recent.services()) {
            if (isOurs(entry.service().identity())) {
                scheduled += entry.statistics().connections();
                forwarded = forwarded.plus(new Counter(
                        entry.statistics().incomingPackets(), entry.statistics().incomingBytes()));
            }
        }
        Map<String, Counter> verdicts = new LinkedHashMap<>();
        Map<ServiceKey, Map<String, Counter>> notForwarded = new HashMap<>();
        verdicts.put(IpvsVerdict.FORWARD.text(), forwarded);
        parts.marker().ifPresent(marker -> {
            String noReal = IpvsVerdict.PASS_NO_REAL.text();
            Map<ServiceKey, Counter> counters = marker.noReal();
            counters.forEach((key, counter) -> notForwarded.put(key, Map.of(noReal, counter)));
            verdicts.put(noReal, sum(counters.values()));
        });
        return new Statistics(verdicts, notForwarded, Map.of(Event.FLOW_ADDED, scheduled));
    }

    private boolean isOurs(ServiceIdentity service) {
        return service instanceof FirewallMark mark
                ? parts.marks().owns(mark) && parts.marks().packets().containsKey(mark.mark())
                : parts.services().owns(service);
    }

    private static Counter sum(Iterable<Counter> counters) {
        Counter sum = new Counter(0, 0);
        for (Counter counter : counters) {
            sum = sum.plus(counter);
        }
        return sum;
    }

    /** Opened in this thread's network namespace. */
    FlowTable flowTable() {
        IdleTimes idle = new IdleTimes(parts.kernel().asked(parts.kernel().ipvs()::timeouts));
        Map<ServiceKey, Set<InetAddress>> reals = reals();
        return new ConnectionTable(
                ConnectionFile.open(connections), reals, parts.host().ownAddresses(), idle, fill());
    }

    /** Flows of a service that has changed over to marks, or back, may be at the reals of either. */
    private Map<ServiceKey, Set<InetAddress>> reals() {
        Map<ServiceKey, Set<InetAddress>> reals = new HashMap<>();
        parts.services().ours().forEach(identity -> Identities.key(identity).ifPresent(key -> {
            Set<InetAddress> listed = reals.computeIfAbsent(key, unused -> new HashSet<>());
            recent.destinations(identity)
                    .forEach(entry -> listed.add(entry.destination().identity().address()));
        }));
        parts.marker().map(Marker::keys).orElse(Set.of()).forEach(key -> reals.computeIfAbsent(
                        key, unused -> new HashSet<>())
                .addAll(parts.marks().packetReals()));
        return reals;
    }

    private Fill fill() {
        long entries = 0;
        for (VirtualAddress identity : parts.services().ours()) {
            entries += connections(recent.destinations(identity));
        }
        Set<FirewallMark> marks = new HashSet<>();
        parts.marker().ifPresent(marker -> marker.keys().forEach(key -> marker.marks(key)
                .values()
                .forEach(mark -> marks.add(new FirewallMark(mark, AddressFamily.of(key.vip()))))));
        for (FirewallMark mark : marks) {
            entries += connections(recent.destinations(mark));
        }
        return new Fill(entries, entries);
    }

    private static long connections(Iterable<DestinationEntry> destinations) {
        long sum = 0;
        for (DestinationEntry entry : destinations) {
            Connections each = entry.connections();
            sum += each.active() + each.inactive();
        }
        return sum;
    }

    /**
     * Looks for a flow's connection.
     *
     * @param flow its 5-tuple
     */
    Search find(FlowKey flow) {
        int[] seen = {0};
        Connection[] found = new Connection[1];
        try (ConnectionFile file = ConnectionFile.open(connections)) {
            boolean all = file.read(connection -> {
                if (connection.flow().equals(flow)) {
                    found[0] = connection;
                    return false;
                }
                return ++seen[0] < SEARCHED;
            });
            return new Search(Optional.ofNullable(found[0]), all);
        }
    }

    /**
     * What came of it.
     *
     * @param all whether there is none if none was found: all connections were looked at
     */
    record Search(Optional<Connection> found, boolean all) {}
}
