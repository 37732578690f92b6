// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.HealthState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Who is up, and who has failed of late: has gone down, having been up. For one thread. */
final class FailureWindow<K> {
    /**
     * A time of being up.
     *
     * @param failed when it ended; empty: it lasts
     */
    private record Life(Instant since, Optional<Instant> failed) {
        boolean failedAfter(Instant time) {
            return failed.filter(at -> !at.isBefore(time)).isPresent();
        }
    }

    private final Map<K, Life> lives = new HashMap<>();

    /**
     * Takes note of the present states.
     *
     * @param states of all; who is not among them is forgotten
     * @param memory how long a failure counts
     */
    void note(Map<K, HealthState> states, Duration memory, Instant now) {
        lives.keySet().retainAll(states.keySet());
        states.forEach((key, state) -> note(key, state, now));
        Instant oldest = now.minus(memory);
        lives.values().removeIf(life -> life.failed().isPresent() && !life.failedAfter(oldest));
    }

    private void note(K key, HealthState state, Instant now) {
        Life life = lives.get(key);
        boolean alive = life != null && life.failed().isEmpty();
        switch (state) {
            case UP -> lives.put(key, life != null && alive ? life : new Life(now, Optional.empty()));
            case DOWN -> {
                if (life != null && alive) {
                    lives.put(key, new Life(life.since(), Optional.of(now)));
                }
            }
            case UNKNOWN -> lives.remove(key); // a new one of the same name
        }
    }

    /** All that are up, or have failed within the memory. */
    Set<K> lastGood() {
        return Set.copyOf(lives.keySet());
    }

    /** Those of the counted that were up when the first of them failed that has failed since {@code begin}; empty: none has. */
    Set<K> goodBefore(Set<K> counted, Instant begin) {
        Optional<Instant> first = lives.entrySet().stream()
                .filter(entry -> counted.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .filter(life -> life.failedAfter(begin))
                .flatMap(life -> life.failed().stream())
                .min(Instant::compareTo);
        return first.map(failure -> lives.entrySet().stream()
                        .filter(entry -> counted.contains(entry.getKey()))
                        .filter(entry -> !entry.getValue().since().isAfter(failure))
                        .filter(entry -> entry.getValue().failed().isEmpty()
                                || entry.getValue().failedAfter(failure))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toUnmodifiableSet()))
                .orElse(Set.of());
    }

    /** Of these, how many have failed. */
    int failed(Set<K> of) {
        return (int) lives.entrySet().stream()
                .filter(entry ->
                        of.contains(entry.getKey()) && entry.getValue().failed().isPresent())
                .count();
    }

    /** Failures so far count no more. */
    void restart() {
        lives.values().removeIf(life -> life.failed().isPresent());
    }
}
