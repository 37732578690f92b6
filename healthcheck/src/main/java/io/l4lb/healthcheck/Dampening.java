// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Instant;
import java.util.Objects;

/**
 * Rise and fall: a target changes its state only after enough equal verdicts in a row.
 *
 * <p>UNKNOWN goes UP after {@code rise} successes and DOWN with the first failure. UP goes DOWN after {@code fall}
 * failures, DOWN goes UP after {@code rise} successes; this holds for an adopted UP too, which has no verdict yet.
 *
 * @param since when the present state began
 * @param run verdicts alike in a row: successes as a positive number, failures as a negative one, 0 before any verdict
 */
public record Dampening(int rise, int fall, HealthState state, Instant since, int run) {
    public Dampening {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(since, "since");
        if (rise < 1 || fall < 1) {
            throw new IllegalArgumentException("rise and fall are at least 1: " + rise + ", " + fall);
        }
    }

    public static Dampening start(Timing timing, HealthState state, Instant since) {
        return new Dampening(timing.rise(), timing.fall(), state, since, 0);
    }

    public Dampening next(Verdict verdict, Instant at) {
        int nextRun = verdict.success() ? longer(successes()) : -longer(failures());
        HealthState nextState = nextState(nextRun);
        return new Dampening(rise, fall, nextState, nextState == state ? since : at, nextRun);
    }

    /** The same state and run under other thresholds; they count from the next verdict. */
    public Dampening with(Timing timing) {
        return new Dampening(timing.rise(), timing.fall(), state, since, run);
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

    private HealthState nextState(int nextRun) {
        return switch (state) {
            case UP -> -nextRun >= fall ? HealthState.DOWN : HealthState.UP;
            case DOWN -> nextRun >= rise ? HealthState.UP : HealthState.DOWN;
            case UNKNOWN -> {
                if (nextRun < 0) {
                    yield HealthState.DOWN;
                }
                yield nextRun >= rise ? HealthState.UP : HealthState.UNKNOWN;
            }
        };
    }

    private static int longer(int count) {
        return count == Integer.MAX_VALUE ? count : count + 1;
    }
}
