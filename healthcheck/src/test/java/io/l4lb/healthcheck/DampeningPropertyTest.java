// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Held against the definition itself: what the last verdicts in a row were. */
final class DampeningPropertyTest {
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Instant START = Instant.EPOCH;

    @Property
    void theLastRunDecides(
            @ForAll @IntRange(min = 1, max = 6) int rise,
            @ForAll @IntRange(min = 1, max = 6) int fall,
            @ForAll HealthState initial,
            @ForAll @Size(min = 1, max = 40) List<Boolean> verdicts) {
        Dampening now = run(Dampening.start(new Timing(INTERVAL, rise, fall), initial, START), verdicts);
        int run = lengthOfLastRun(verdicts);
        boolean success = verdicts.get(verdicts.size() - 1);
        assertEquals(success ? run : 0, now.successes());
        assertEquals(success ? 0 : run, now.failures());
        if (success && run >= rise) {
            assertEquals(HealthState.UP, now.state());
        }
        if (!success && run >= fall) {
            assertEquals(HealthState.DOWN, now.state());
        }
        if (!success) {
            assertNotEquals(HealthState.UNKNOWN, now.state());
        }
    }

    @Property
    void aRunTooShortChangesNothing(
            @ForAll @IntRange(min = 2, max = 6) int threshold,
            @ForAll boolean up,
            @ForAll @IntRange(min = 1, max = 5) int length) {
        HealthState state = up ? HealthState.UP : HealthState.DOWN;
        Dampening now = Dampening.start(new Timing(INTERVAL, threshold, threshold), state, START);
        for (int i = 0; i < Math.min(length, threshold - 1); i++) {
            now = now.next(Targets.verdict(!up, "test"), START.plusSeconds(1));
        }
        assertEquals(state, now.state());
        assertEquals(START, now.since());
    }

    @Property
    void everyVerdictLeavesItVerifiedAndSinceChangesWithTheStateOnly(
            @ForAll HealthState initial, @ForAll @Size(min = 1, max = 40) List<Boolean> verdicts) {
        Dampening now = Dampening.start(new Timing(INTERVAL, 2, 3), initial, START);
        for (int i = 0; i < verdicts.size(); i++) {
            Instant at = START.plusSeconds(i + 1);
            Dampening next = now.next(Targets.verdict(verdicts.get(i), "test"), at);
            assertEquals(next.state() == now.state() ? now.since() : at, next.since());
            assertEquals(true, next.verified());
            now = next;
        }
    }

    private static Dampening run(Dampening start, List<Boolean> verdicts) {
        Dampening now = start;
        for (boolean success : verdicts) {
            now = now.next(Targets.verdict(success, "test"), START);
        }
        return now;
    }

    private static int lengthOfLastRun(List<Boolean> verdicts) {
        boolean last = verdicts.get(verdicts.size() - 1);
        int length = 0;
        while (length < verdicts.size() && verdicts.get(verdicts.size() - 1 - length) == last) {
            length++;
        }
        return length;
    }
}
