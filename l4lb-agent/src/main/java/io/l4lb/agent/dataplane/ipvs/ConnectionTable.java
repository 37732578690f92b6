// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.RememberedFlow.Client;
import io.l4lb.agent.dataplane.RememberedFlow.VipEnd;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.FlowKey;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * IPVS's connections of our services. Those of others are counted as gone; those that the director itself has made, probes
 * above all, are no clients' flows and are left out altogether. What a flow of a persistent service stands for is not ours.
 */
final class ConnectionTable implements FlowTable {
    private final ConnectionFile file;
    private final Map<ServiceKey, Set<InetAddress>> reals;
    private final Set<InetAddress> own;
    private final IdleTimes idle;
    private final Fill fill;

    /**
     * Takes the file over.
     *
     * @param reals of each service
     * @param own addresses of the director
     */
    ConnectionTable(
            ConnectionFile file,
            Map<ServiceKey, Set<InetAddress>> reals,
            Set<InetAddress> own,
            IdleTimes idle,
            Fill fill) {
        this.file = file;
        this.reals = Map.copyOf(reals);
        this.own = Set.copyOf(own);
        this.idle = idle;
        this.fill = fill;
    }

    /** Memory alone bounds it. */
    @Override
    public long capacity() {
        return NO_LIMIT;
    }

    @Override
    public Reading read(Predicate<RememberedFlow> visitor) {
        long[] entries = {0};
        long[] gone = {0};
        boolean unused = file.read(connection -> {
            if (own.contains(connection.flow().source())) {
                return true;
            }
            entries[0]++;
            Optional<RememberedFlow> flow = flow(connection);
            gone[0] += flow.isEmpty() ? 1 : 0;
            return flow.isEmpty() || visitor.test(flow.get());
        });
        return new Reading(entries[0], gone[0]);
    }

    private Optional<RememberedFlow> flow(Connection connection) {
        FlowKey flow = connection.flow();
        return ServiceKey.candidates(flow).stream()
                .filter(reals::containsKey)
                .findFirst()
                .filter(key -> reals.getOrDefault(key, Set.of()).contains(connection.real()))
                .map(key -> new RememberedFlow(
                        key,
                        new Client(flow.source(), flow.sourcePort()),
                        new VipEnd(flow.protocol(), flow.vipPort()),
                        connection.real(),
                        connection.phase(),
                        idle.of(connection),
                        true));
    }

    /** By the counters of the reals, which cost far less than reading. */
    @Override
    public Fill fill() {
        return fill;
    }

    @Override
    public void close() {
        file.close();
    }
}
