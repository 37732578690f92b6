// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The whole of health checking but its thread and its sockets: targets in, verdicts in, snapshots out. Targets that ask the same
 * question as often share one probe, and its verdicts. One thread calls everything; only {@link #snapshot} and {@link #statistics} may
 * be called by any. Its driver calls {@link #step} at the deadlines it returns.
 */
public final class HealthCore {
    /** So many probes may be under way at once. What is due beyond that waits, and shows as lag: no real is to blame for it. */
    public static final int MOST_IN_FLIGHT = 20_000;

    /** How many probes one step starts before sockets are looked at again. */
    static final int BATCH = 256;

    /** A probe that was started; its first verdict counts. */
    private final class Flight implements Consumer<Verdict> {
        private final SharedProbe probe;
        private boolean landed;

        private Flight(SharedProbe probe) {
            this.probe = probe;
        }

        @Override
        public void accept(Verdict verdict) {
            if (!landed) {
                landed = true;
                tally.ended(verdict);
                land(probe, verdict);
            }
        }
    }

    private final Prober prober;
    private final InstantSource clock;
    private final Schedule schedule;
    private final Runnable onChange;
    private final int mostInFlight;
    private final Map<SharedProbe.Key, SharedProbe> probes = new HashMap<>();
    private final LagWindow lag = new LagWindow();
    private final Tally tally = new Tally();
    private volatile Map<String, Watcher> watchers = Map.of();
    private volatile int distinct;
    private long numbers;

    /** {@code onChange} is called on the health thread after a state changed or a first verdict came; it must not block. */
    public HealthCore(Prober prober, InstantSource clock, RandomGenerator random, Runnable onChange) {
        this(prober, clock, random, onChange, MOST_IN_FLIGHT);
    }

    HealthCore(Prober prober, InstantSource clock, RandomGenerator random, Runnable onChange, int mostInFlight) {
        this.prober = prober;
        this.clock = clock;
        this.schedule = new Schedule(random);
        this.onChange = onChange;
        this.mostInFlight = mostInFlight;
    }

    /**
     * Makes these the targets. Known ids keep their health, whatever else of them changed; unchanged ones keep their
     * schedule too. New ones start with the health that {@code initial} gives: UNKNOWN, or what an earlier run knew.
     *
     * @throws IllegalArgumentException if two targets have one id; nothing is changed then
     */
    public void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial, long now) {
        Map<String, ProbeTarget> wanted = byId(targets);
        Map<String, Watcher> next = new HashMap<>();
        wanted.forEach((id, target) -> {
            Watcher known = watchers.get(id);
            next.put(id, known != null ? known : new Watcher(target, initial.apply(target)));
        });
        watchers.forEach((id, watcher) -> {
            if (!next.containsKey(id)) {
                leave(watcher);
            }
        });
        wanted.forEach((id, target) -> {
            Watcher watcher = watcherOf(next, id);
            if (!watchers.containsKey(id)) {
                join(watcher, now);
            } else if (!watcher.target().equals(target)) {
                change(watcher, target, now);
            }
        });
        watchers = Map.copyOf(next);
        distinct = probes.size();
    }

    /**
     * Starts what is due, a bounded number of probes.
     *
     * @param now nanoseconds since an origin of the driver's choice, never decreasing
     * @return the time of the next call, which is past if more is due; empty while there is nothing to wait for
     */
    public OptionalLong step(long now) {
        for (int started = 0; started < BATCH && tally.inFlight() < mostInFlight; started++) {
            Optional<SharedProbe> due = schedule.takeDue(now);
            if (due.isEmpty()) {
                break;
            }
            lag.record(now - due.get().due, now);
            start(due.get());
        }
        return nextDeadline();
    }

    /** As {@link #step} returns it; to be asked again after each verdict, which can bring it closer. */
    public OptionalLong nextDeadline() {
        // A verdict makes room, and is when the driver asks again.
        return tally.inFlight() < mostInFlight ? schedule.nextDeadline() : OptionalLong.empty();
    }

    /** Any thread may call this. Each target's health is its latest. */
    public HealthSnapshot snapshot() {
        Map<String, Health> byId = new HashMap<>();
        watchers.forEach((id, watcher) -> byId.put(id, watcher.health()));
        return new HealthSnapshot(byId);
    }

    /** Any thread may call this. What is asked for the target of that id; empty: there is none. */
    public Optional<Probe> probe(String id) {
        return Optional.ofNullable(watchers.get(id))
                .map(watcher -> watcher.target().probe());
    }

    /**
     * Any thread may call this.
     *
     * @param now as for {@link #step}
     */
    public ProbeStatistics statistics(long now) {
        return new ProbeStatistics(watchers.size(), distinct, tally.inFlight(), tally.verdicts(), lag.lag(now));
    }

    private void start(SharedProbe probe) {
        Flight flight = new Flight(probe);
        probe.inFlight = true;
        tally.started();
        try {
            prober.probe(probe.key.probe(), Trace.NONE, flight);
        } catch (RuntimeException e) {
            if (flight.landed) {
                throw e; // the verdict came, and it is the listener that broke
            }
            // One probe that breaks must not end all others, nor leave its target unprobed for ever.
            flight.accept(Verdict.inconclusive("the probe could not be started: " + e, Duration.ZERO));
        }
    }

    private void land(SharedProbe probe, Verdict verdict) {
        probe.inFlight = false;
        boolean changed = false;
        for (Watcher watcher : probe.watchers.values()) {
            changed |= hear(watcher, verdict);
        }
        if (probe.watchers.isEmpty()) {
            probes.remove(probe.key, probe); // all have left meanwhile
            distinct = probes.size();
        } else {
            schedule.giveBack(probe);
        }
        if (changed) {
            onChange.run();
        }
    }

    /** Whether that is news: another state, a first verdict, or another reason for having none. */
    private boolean hear(Watcher watcher, Verdict verdict) {
        Health before = watcher.health();
        Health after = before.next(verdict, clock.instant());
        watcher.hear(after);
        return after.state() != before.state()
                || (!before.verified() && (after.verified() || !after.reason().equals(before.reason())));
    }

    private void change(Watcher watcher, ProbeTarget target, long now) {
        boolean moves = !SharedProbe.Key.of(watcher.target()).equals(SharedProbe.Key.of(target));
        if (moves) {
            leave(watcher);
        }
        watcher.become(target);
        if (moves) {
            join(watcher, now);
        }
    }

    private void join(Watcher watcher, long now) {
        SharedProbe.Key key = SharedProbe.Key.of(watcher.target());
        SharedProbe known = probes.get(key);
        if (known == null) {
            known = new SharedProbe(key, numbers++);
            probes.put(key, known);
            schedule.add(known, now);
        }
        known.watchers.put(watcher.target().id(), watcher);
    }

    private void leave(Watcher watcher) {
        SharedProbe.Key key = SharedProbe.Key.of(watcher.target());
        SharedProbe probe = probes.get(key);
        if (probe == null || probe.watchers.remove(watcher.target().id()) == null) {
            throw new IllegalStateException("nobody probes " + watcher.target());
        }
        if (probe.watchers.isEmpty() && !probe.inFlight) {
            schedule.remove(probe);
            probes.remove(key);
        }
    }

    private static Watcher watcherOf(Map<String, Watcher> watchers, String id) {
        Watcher watcher = watchers.get(id);
        if (watcher == null) {
            throw new IllegalStateException("no such target: " + id);
        }
        return watcher;
    }

    /** In the order of ids, so that a seeded random gives one schedule whatever the order of the input. */
    private static Map<String, ProbeTarget> byId(Collection<ProbeTarget> targets) {
        Map<String, ProbeTarget> byId = new TreeMap<>();
        for (ProbeTarget target : targets) {
            if (byId.put(target.id(), target) != null) {
                throw new IllegalArgumentException("two probe targets have the id " + target.id());
            }
        }
        return byId;
    }
}
