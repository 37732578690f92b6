// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static io.l4lb.healthcheck.HealthState.DOWN;
import static io.l4lb.healthcheck.HealthState.UNKNOWN;
import static io.l4lb.healthcheck.HealthState.UP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DampeningTest {
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), 2, 3);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void unknownGoesUpAfterRiseSuccesses() {
        assertEquals(UNKNOWN, after(UNKNOWN, "+").state());
        assertEquals(UP, after(UNKNOWN, "++").state());
    }

    @Test
    void unknownGoesDownWithTheFirstFailure() {
        assertEquals(DOWN, after(UNKNOWN, "-").state());
        assertEquals(DOWN, after(UNKNOWN, "+-").state());
    }

    @Test
    void upNeedsFallFailuresInARow() {
        assertEquals(UP, after(UP, "--+--").state());
        assertEquals(DOWN, after(UP, "--+---").state());
    }

    @Test
    void downNeedsRiseSuccessesInARow() {
        assertEquals(DOWN, after(DOWN, "+-+").state());
        assertEquals(UP, after(DOWN, "+-++").state());
    }

    @Test
    void anAdoptedUpIsUnverifiedUntilItsFirstVerdictOfEitherKind() {
        assertFalse(after(UP, "").verified());
        assertTrue(after(UP, "+").verified());
        assertTrue(after(UP, "-").verified());
        assertEquals(UP, after(UP, "-").state());
        assertEquals(START, after(UP, "-").since());
    }

    @Test
    void sinceMovesOnlyWithTheState() {
        Dampening down = after(UP, "+---");
        assertEquals(START.plusSeconds(4), down.since());
        assertEquals(
                down.since(), down.next(verdict(false), START.plusSeconds(99)).since());
    }

    @Test
    void otherThresholdsKeepStateAndRun() {
        Timing stricter = new Timing(TIMING.interval(), 2, 5);
        Dampening changed = after(UP, "--").with(stricter);
        assertEquals(2, changed.failures());
        assertEquals(UP, changed.next(verdict(false), START).state());
    }

    @Test
    void aRunNeverOverflows() {
        Dampening longRun = new Dampening(TIMING, UP, START, Integer.MAX_VALUE, 0);
        assertEquals(Integer.MAX_VALUE, longRun.next(verdict(true), START).successes());
        Dampening badRun = new Dampening(TIMING, DOWN, START, -Integer.MAX_VALUE, 0);
        assertEquals(Integer.MAX_VALUE, badRun.next(verdict(false), START).failures());
    }

    private static Dampening after(HealthState initial, String verdicts) {
        Dampening dampening = Dampening.start(TIMING, initial, START);
        for (int i = 0; i < verdicts.length(); i++) {
            dampening = dampening.next(verdict(verdicts.charAt(i) == '+'), START.plusSeconds(i + 1));
        }
        return dampening;
    }

    private static Verdict verdict(boolean success) {
        return Targets.verdict(success, "test");
    }
}
