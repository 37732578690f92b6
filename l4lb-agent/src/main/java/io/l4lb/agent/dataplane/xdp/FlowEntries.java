// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.RememberedFlow.Client;
import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.agent.dataplane.RememberedFlow.VipEnd;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.MapReader;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The entries of {@code flows}, in the words of services and reals. */
final class FlowEntries implements FlowTable {
    private final MapReader reader;
    private final Known known;
    private final Constants constants;
    private final LongSupplier clock;
    private final boolean notesTimes;

    /**
     * What the numbers in entries stand for.
     *
     * @param services by id
     * @param reals by number
     */
    record Known(Map<Integer, ServiceKey> services, Map<Integer, RealValue> reals) {
        Known {
            services = Map.copyOf(services);
            reals = Map.copyOf(reals);
        }
    }

    /**
     * The entries.
     *
     * @param constants of the program that writes them
     * @param clock ns of CLOCK_MONOTONIC
     */
    FlowEntries(BpfMap flows, Known known, Constants constants, LongSupplier clock) {
        this.reader = MapReader.of(flows);
        this.known = known;
        this.constants = constants;
        this.clock = clock;
        this.notesTimes = notesTimes(constants);
    }

    @Override
    public long capacity() {
        return reader.maxEntries();
    }

    @Override
    public Reading read(Predicate<RememberedFlow> visitor) {
        long[] entries = {0};
        long[] gone = {0};
        int now = tick();
        byte[] name = new byte[FlowName.SIZE];
        visitAll((key, value) -> {
            entries[0]++;
            key.get(0, name);
            RememberedFlow flow = flow(FlowName.decode(name), FlowValue.decode(value), now);
            if (flow == null) {
                gone[0]++;
                return true;
            }
            return visitor.test(flow);
        });
        return new Reading(entries[0], gone[0]);
    }

    /** Without a look at what does not matter: it is asked for often. */
    @Override
    public Fill fill() {
        long[] entries = {0};
        long[] counting = {0};
        int now = tick();
        visitAll((key, value) -> {
            entries[0]++;
            int service = FlowName.serviceOf(key);
            FlowValue flow = FlowValue.decode(value);
            RealValue real = known.reals.get(flow.real());
            if (real != null && known.services.containsKey(service) && counts(service, real, flow, now)) {
                counting[0]++;
            }
            return true;
        });
        return new Fill(entries[0], counting[0]);
    }

    private void visitAll(MapReader.Visitor visitor) {
        try {
            reader.read(visitor);
        } catch (BpfException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Null: of a service, or to a real, that there was none of. */
    private @Nullable RememberedFlow flow(FlowName name, FlowValue value, int now) {
        ServiceKey service = known.services.get(name.service());
        RealValue real = known.reals.get(value.real());
        if (service == null || real == null) {
            return null;
        }
        return new RememberedFlow(
                service,
                new Client(name.source(), name.sourcePort()),
                new VipEnd(name.protocol(), name.vipPort()),
                real.address(),
                State.valueOf(value.state().name()),
                notesTimes
                        ? Optional.of(Duration.ofNanos(Math.max(0, now - value.seen()) * (1L << Ticks.SHIFT)))
                        : Optional.empty(),
                counts(name.service(), real, value, now));
    }

    private boolean counts(int service, RealValue real, FlowValue value, int now) {
        return value.counts(constants.timeouts(), now) && real.active() && real.service() == service;
    }

    private int tick() {
        return Ticks.at(clock.getAsLong());
    }

    /** A program that never needs the time does not ask for it. */
    private static boolean notesTimes(Constants constants) {
        Constants.Timeouts timeouts = constants.timeouts();
        return constants.newFlows() != 0
                || timeouts.opening() != 0
                || timeouts.established() != 0
                || timeouts.closing() != 0
                || timeouts.other() != 0;
    }

    @Override
    public void close() {
        reader.close();
    }
}
