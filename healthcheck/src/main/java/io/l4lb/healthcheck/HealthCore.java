// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The whole of health checking but its thread and its sockets: targets in, verdicts in, snapshots out. One thread calls
 * everything; only {@link #snapshot} may be called by any. Its driver calls {@link #step} at the deadlines it returns.
 */
public final class HealthCore {
    /** A latest-value cell: the health thread writes it, any thread reads it. */
    private static final class Cell {
        private ProbeTarget target;
        private volatile Health health;

        private Cell(ProbeTarget target, Health health) {
            this.target = target;
            this.health = health;
        }
    }

    private final Prober prober;
    private final InstantSource clock;
    private final Schedule schedule;
    private final Runnable onChange;
    private volatile Map<String, Cell> cells = Map.of();

    /** {@code onChange} is called on the health thread after a state changed or a first verdict came; it must not block. */
    public HealthCore(Prober prober, InstantSource clock, RandomGenerator random, Runnable onChange) {
        this.prober = prober;
        this.clock = clock;
        this.schedule = new Schedule(random);
        this.onChange = onChange;
    }

    /**
     * Makes these the targets. Known ids keep their health, whatever else of them changed; unchanged ones keep their
     * schedule too. New ones start in the state that {@code initial} gives: UNKNOWN, or UP for what was serving already.
     *
     * @throws IllegalArgumentException if two targets have one id; nothing is changed then
     */
    public void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, HealthState> initial, long now) {
        Instant wall = clock.instant();
        Map<String, Cell> next = new HashMap<>();
        Map<String, ProbeTarget> wanted = byId(targets);
        wanted.forEach((id, target) -> {
            Cell known = cells.get(id);
            next.put(id, known != null ? known : new Cell(target, startOf(target, initial, wall)));
        });
        cells.keySet().stream().filter(id -> !next.containsKey(id)).forEach(schedule::remove);
        wanted.forEach((id, target) -> {
            if (cells.containsKey(id)) {
                change(cellOf(next, id), target, now);
            } else {
                schedule.add(target, now);
            }
        });
        cells = Map.copyOf(next);
    }

    /**
     * Starts every probe that is due.
     *
     * @param now nanoseconds since an origin of the driver's choice, never decreasing
     * @return the time of the next call; empty while there is nothing to wait for
     */
    public OptionalLong step(long now) {
        for (Optional<ProbeTarget> due = schedule.takeDue(now); due.isPresent(); due = schedule.takeDue(now)) {
            start(due.get());
        }
        return schedule.nextDeadline();
    }

    /** As {@link #step} returns it; to be asked again after each verdict, which can bring it closer. */
    public OptionalLong nextDeadline() {
        return schedule.nextDeadline();
    }

    /** Any thread may call this. Each target's health is its latest. */
    public HealthSnapshot snapshot() {
        Map<String, Health> byId = new HashMap<>();
        cells.forEach((id, cell) -> byId.put(id, cell.health));
        return new HealthSnapshot(byId);
    }

    private void start(ProbeTarget target) {
        Cell cell = cellOf(cells, target.id());
        try {
            prober.probe(target, verdict -> accept(cell, target, verdict));
        } catch (RuntimeException e) {
            if (!schedule.isOut(target.id())) {
                throw e; // the verdict came, and it is the listener that broke
            }
            // One probe that breaks must not end all others, nor leave its target unprobed for ever.
            accept(cell, target, Verdict.failure("the probe could not be started: " + e, Duration.ZERO));
        }
    }

    private void accept(Cell cell, ProbeTarget probed, Verdict verdict) {
        if (cells.get(probed.id()) != cell) {
            return; // removed, perhaps added again, while the probe was in flight
        }
        schedule.giveBack(probed.id());
        if (!cell.target.probesLike(probed)) {
            return; // a verdict on what the target no longer is
        }
        Health before = cell.health;
        Health after = before.next(verdict, clock.instant());
        cell.health = after;
        if (after.state() != before.state() || !before.verified()) {
            onChange.run();
        }
    }

    private void change(Cell cell, ProbeTarget target, long now) {
        if (!cell.target.equals(target)) {
            cell.target = target;
            cell.health = cell.health.with(target.timing());
            schedule.change(target, now);
        }
    }

    private static Health startOf(ProbeTarget target, Function<ProbeTarget, HealthState> initial, Instant wall) {
        return Health.start(target.timing(), initial.apply(target), wall);
    }

    private static Cell cellOf(Map<String, Cell> cells, String id) {
        Cell cell = cells.get(id);
        if (cell == null) {
            throw new IllegalStateException("no such target: " + id);
        }
        return cell;
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
