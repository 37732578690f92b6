// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.MapReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the balancer counts besides reals: the maps verdicts, service_verdicts and events. For one thread. */
final class CounterMaps implements AutoCloseable {
    /* struct service_verdict: the id of a service and the number of a verdict, in the host's byte order. */
    static final int SERVICE_VERDICT_SIZE = 8;
    static final int VERDICT = 4;

    /** {@code enum event}. */
    static final List<Event> EVENTS = List.of(
            Event.FLOW_ADDED, Event.FLOW_EXPIRED, Event.FLOW_OVER_LIMIT, Event.FLOW_REFUSED, Event.CAPTURE_LOST);

    private final BpfMap verdicts;
    private final BpfMap serviceVerdicts;
    private final BpfMap events;
    private final MapReader reader;

    CounterMaps(BpfMap verdicts, BpfMap serviceVerdicts, BpfMap events) {
        this.verdicts = verdicts;
        this.serviceVerdicts = serviceVerdicts;
        this.events = events;
        this.reader = MapReader.of(serviceVerdicts);
    }

    /** By verdict, all that there are. */
    Map<String, Counter> verdicts() {
        Map<String, Counter> counters = new LinkedHashMap<>();
        for (int i = 0; i < Verdicts.NAMES.size(); i++) {
            counters.put(Verdicts.NAMES.get(i), PerCpuCounter.read(verdicts, i));
        }
        return counters;
    }

    /**
     * All of it.
     *
     * @param services by id
     */
    Statistics statistics(Map<Integer, ServiceKey> services) {
        return new Statistics(verdicts(), notForwarded(services), events());
    }

    private Map<ServiceKey, Map<String, Counter>> notForwarded(Map<Integer, ServiceKey> services) {
        Map<ServiceKey, Map<String, Counter>> counters = new HashMap<>();
        reader.read((key, value) -> {
            ServiceKey service = services.get(key.getInt(0));
            int verdict = key.getInt(VERDICT);
            if (service != null && verdict >= 0 && verdict < Verdicts.NAMES.size()) {
                counters.computeIfAbsent(service, unused -> new LinkedHashMap<>())
                        .put(Verdicts.NAMES.get(verdict), sum(value));
            }
            return true;
        });
        return counters;
    }

    /** Over all CPUs. */
    private static Counter sum(ByteBuffer values) {
        Counter sum = new Counter(0, 0);
        for (int at = 0; at < values.limit(); at += PerCpuCounter.SIZE) {
            sum = sum.plus(new Counter(values.getLong(at), values.getLong(at + Long.BYTES)));
        }
        return sum;
    }

    private Map<Event, Long> events() {
        Map<Event, Long> counts = new EnumMap<>(Event.class);
        for (Event event : EVENTS) {
            counts.put(event, count(event));
        }
        return counts;
    }

    /** How often something happened; for any thread. */
    long count(Event event) {
        return events.lookupPerCpu(Word.encode(EVENTS.indexOf(event))).stream()
                .mapToLong(count -> count.order(ByteOrder.nativeOrder()).getLong(0))
                .sum();
    }

    /** Another service may have these ids. */
    void forget(Set<Integer> ids) {
        for (byte[] key : serviceVerdicts.keys()) {
            if (ids.contains(Word.decode(ByteBuffer.wrap(key)))) {
                serviceVerdicts.delete(ByteBuffer.wrap(key));
            }
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
