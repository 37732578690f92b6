// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Which target is due when. A target that was handed out stays out until it is given back, so that two probes of one target
 * never overlap. Times are nanoseconds from any origin that is not after the first of them.
 */
final class Schedule {
    private static final Duration LONGEST_SPREAD = Duration.ofSeconds(1);
    private static final int JITTER_PERCENT = 10;

    private static final class Slot {
        private final String id;
        private ProbeTarget target;
        private long due;
        private boolean out;

        private Slot(ProbeTarget target, long due) {
            this.id = target.id();
            this.target = target;
            this.due = due;
        }
    }

    private final RandomGenerator random;
    private final Map<String, Slot> slots = new HashMap<>();
    private final TreeSet<Slot> waiting =
            new TreeSet<>(Comparator.<Slot>comparingLong(slot -> slot.due).thenComparing(slot -> slot.id));

    Schedule(RandomGenerator random) {
        this.random = random;
    }

    /** First probes are spread over the interval, a second at most, so that many new targets make no burst. */
    void add(ProbeTarget target, long now) {
        Slot slot = new Slot(target, now + spread(target));
        slots.put(slot.id, slot);
        waiting.add(slot);
    }

    /** A changed target is probed as soon as a new one would be, or earlier if it is due earlier. */
    void change(ProbeTarget target, long now) {
        Slot slot = slot(target.id());
        waiting.remove(slot);
        slot.target = target;
        slot.due = Math.min(slot.due, now + spread(target));
        if (!slot.out) {
            waiting.add(slot);
        }
    }

    void remove(String id) {
        waiting.remove(slot(id));
        slots.remove(id);
    }

    /** Hands out the target that is due longest, if one is due, and sets its next time. */
    Optional<ProbeTarget> takeDue(long now) {
        if (waiting.isEmpty() || waiting.first().due > now) {
            return Optional.empty();
        }
        Slot slot = waiting.first();
        waiting.remove(slot);
        slot.out = true;
        slot.due = now + jittered(slot.target.timing().interval());
        return Optional.of(slot.target);
    }

    boolean isOut(String id) {
        return slot(id).out;
    }

    void giveBack(String id) {
        Slot slot = slot(id);
        slot.out = false;
        waiting.add(slot);
    }

    /** When the next target is due; empty while none waits. */
    OptionalLong nextDeadline() {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.first().due);
    }

    private Slot slot(String id) {
        Slot slot = slots.get(id);
        if (slot == null) {
            throw new IllegalStateException("no such target in the schedule: " + id);
        }
        return slot;
    }

    private long spread(ProbeTarget target) {
        Duration interval = target.timing().interval();
        return random.nextLong(min(interval, LONGEST_SPREAD).toNanos());
    }

    private long jittered(Duration interval) {
        long jitter = interval.toNanos() * JITTER_PERCENT / 100;
        return interval.toNanos() - jitter + random.nextLong(2 * jitter + 1);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
