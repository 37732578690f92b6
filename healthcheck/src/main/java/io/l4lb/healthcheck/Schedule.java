// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Which probe is due when. One that was handed out stays out until it is given back, so that it never overlaps itself. Times are
 * nanoseconds from any origin that is not after the first of them.
 */
final class Schedule {
    private static final Duration LONGEST_SPREAD = Duration.ofSeconds(1);
    private static final int JITTER_PERCENT = 10;

    private final RandomGenerator random;
    private final TreeSet<SharedProbe> waiting = new TreeSet<>(
            Comparator.<SharedProbe>comparingLong(probe -> probe.due).thenComparing(probe -> probe.number));

    Schedule(RandomGenerator random) {
        this.random = random;
    }

    /** First probes are spread over the interval, a second at most, so that many new targets make no burst. */
    void add(SharedProbe probe, long now) {
        Duration interval = probe.key.interval();
        Duration spread = interval.compareTo(LONGEST_SPREAD) <= 0 ? interval : LONGEST_SPREAD;
        probe.due = now + random.nextLong(spread.toNanos());
        waiting.add(probe);
    }

    void remove(SharedProbe probe) {
        waiting.remove(probe);
    }

    /** Hands out the probe that is due longest, if one is due. */
    Optional<SharedProbe> takeDue(long now) {
        if (waiting.isEmpty() || waiting.first().due > now) {
            return Optional.empty();
        }
        SharedProbe probe = waiting.first();
        waiting.remove(probe);
        probe.started = now;
        return Optional.of(probe);
    }

    /** It is due again an interval after its last start, more or less. */
    void giveBack(SharedProbe probe) {
        probe.due = probe.started + jittered(probe.interval());
        waiting.add(probe);
    }

    /** When the next probe is due; empty while none waits. */
    OptionalLong nextDeadline() {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.first().due);
    }

    private long jittered(Duration interval) {
        long jitter = interval.toNanos() * JITTER_PERCENT / 100;
        return interval.toNanos() - jitter + random.nextLong(2 * jitter + 1);
    }
}
