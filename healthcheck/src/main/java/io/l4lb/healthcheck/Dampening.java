// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Rise, fall and flaps: a target changes its state only after enough equal verdicts in a row, and one that flaps stays down for longer.
 *
 * <p>UNKNOWN goes UP after {@code rise} successes and DOWN with the first failure. UP goes DOWN after {@code fall} failures, DOWN goes
 * UP after {@code rise} successes, once it is not held any more ({@link Hold}); this holds for an adopted UP too, which has no verdict
 * yet. An inconclusive verdict changes nothing.
 *
 * @param since when the present state began
 * @param run verdicts alike in a row: successes as a positive number, failures as a negative one, 0 before any verdict
 * @param flaps in a row, see {@link Hold}
 */
public record Dampening(Timing timing, HealthState state, Instant since, int run, int flaps) {
    public Dampening {
        Objects.requireNonNull(timing, "timing");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(since, "since");
        if (flaps < 0) {
            throw new IllegalArgumentException("flaps are counted from 0: " + flaps);
        }
    }

    public static Dampening start(Timing timing, HealthState state, Instant since) {
        return new Dampening(timing, state, since, 0, 0);
    }

    public Dampening next(Verdict verdict, Instant at) {
        if (verdict.outcome() == Verdict.Outcome.INCONCLUSIVE) {
            return this;
        }
        int nextRun = verdict.success() ? longer(successes()) : -longer(failures());
        HealthState nextState = nextState(nextRun, at);
        if (nextState == state) {
            return new Dampening(timing, state, since, nextRun, flaps);
        }
        return new Dampening(
                timing, nextState, at, nextRun, nextState == HealthState.DOWN ? flapsGoingDown(at) : flaps);
    }

    /** The same state and run under another timing; its thresholds count from the next verdict. */
    public Dampening with(Timing other) {
        return new Dampening(other, state, since, run, flaps);
    }

    /** False while the state was only assumed: no verdict has come yet. */
    public boolean verified() {
        return run != 0;
    }

    /** Successes in a row, 0 after a failure. */
    public int successes() {
        return Math.max(run, 0);
    }

    /** Failures in a row, 0 after a success. */
    public int failures() {
        return Math.max(-run, 0);
    }

    /** Until when it stays down, whatever its probes say; empty: it is not held. */
    public Optional<Instant> heldUntil() {
        Duration hold = timing.hold().after(flaps);
        return state == HealthState.DOWN && !hold.isZero() ? Optional.of(since.plus(hold)) : Optional.empty();
    }

    private HealthState nextState(int nextRun, Instant at) {
        return switch (state) {
            case UP -> -nextRun >= timing.fall() ? HealthState.DOWN : HealthState.UP;
            case DOWN -> nextRun >= timing.rise() && !heldAt(at) ? HealthState.UP : HealthState.DOWN;
            case UNKNOWN -> {
                if (nextRun < 0) {
                    yield HealthState.DOWN;
                }
                yield nextRun >= timing.rise() ? HealthState.UP : HealthState.UNKNOWN;
            }
        };
    }

    private boolean heldAt(Instant at) {
        return heldUntil().filter(at::isBefore).isPresent();
    }

    private int flapsGoingDown(Instant at) {
        boolean flap =
                state == HealthState.UP && at.isBefore(since.plus(timing.hold().memory()));
        return flap ? longer(flaps) : 0;
    }

    private static int longer(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
