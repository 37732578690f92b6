// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.healthcheck.HealthState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells when more reals fail within a while than are likely to fail on their own. A window begins with a failure; the good are those
 * that were up before it. When more than a share of them has failed within the window, it freezes, until those of them that
 * are down are no more than the share again, or until it is told to believe the probes. What went down before it was ever up, or
 * longer ago than the window, is no failure of it. For one thread.
 *
 * @param <K> names a real
 */
final class PanicRule<K> {
    private final FailureWindow<K> window = new FailureWindow<>();
    private Optional<Frozen<K>> frozen = Optional.empty();

    /**
     * A frozen state.
     *
     * @param good who was up before the failures
     * @param reason such as {@code 3 of 4 reals failed within 30s}
     */
    record Frozen<K>(Set<K> good, String reason) {
        Frozen {
            good = Set.copyOf(good);
        }
    }

    /** Goes on from an earlier run's frozen state. */
    void restore(Frozen<K> earlier) {
        frozen = Optional.of(earlier);
    }

    /**
     * Takes note of the present states.
     *
     * @param states of all that are probed
     * @param counted those of them whose failure counts: they are to get new flows
     * @param memory how long {@link #lastGood} remembers, at least the window
     * @return why it is frozen no more, if it was until now
     */
    Optional<String> step(Map<K, HealthState> states, Set<K> counted, Panic panic, Duration memory, Instant now) {
        window.note(states, memory, now);
        if (frozen.isPresent()) {
            return thaw(states, counted, panic);
        }
        Set<K> good = window.goodBefore(counted, now.minus(panic.window()));
        int failed = window.failed(good);
        if (good.size() >= Panic.LEAST_REALS && exceeds(failed, good, panic)) {
            String reason = failed + " of " + good.size() + " reals failed within " + text(panic.window());
            frozen = Optional.of(new Frozen<>(good, reason));
        }
        return Optional.empty();
    }

    /** Reals that are gone, drained or in maintenance are good no more, and have not failed either. */
    private Optional<String> thaw(Map<K, HealthState> states, Set<K> counted, Panic panic) {
        Frozen<K> state = frozen.orElseThrow();
        Set<K> good = state.good().stream().filter(counted::contains).collect(Collectors.toUnmodifiableSet());
        int down = (int)
                good.stream().filter(key -> states.get(key) != HealthState.UP).count();
        if (exceeds(down, good, panic)) {
            frozen = Optional.of(new Frozen<>(good, state.reason()));
            return Optional.empty();
        }
        accept();
        return Optional.of(down + " of " + good.size() + " reals are down");
    }

    private static boolean exceeds(int failed, Collection<?> good, Panic panic) {
        return 100L * failed > (long) panic.share() * good.size();
    }

    /** Why the state is frozen, and of whom; empty: it is not. */
    Optional<Frozen<K>> frozen() {
        return frozen;
    }

    /** All that are up, or have failed within the memory. */
    Set<K> lastGood() {
        return window.lastGood();
    }

    /** Starts anew from the present states. */
    void accept() {
        frozen = Optional.empty();
        window.restart();
    }

    private static String text(Duration window) {
        return window.toMillis() % 1000 == 0 ? window.toSeconds() + "s" : window.toMillis() + "ms";
    }
}
