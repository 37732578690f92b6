// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.reconcile.HealthRecord.Known;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.Hold;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Route;
import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HealthRecordTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant BEFORE = NOW.minusSeconds(60);
    private static final Hold HOLD = new Hold(Duration.ofMinutes(2), Duration.ofHours(1), Duration.ofMinutes(5));
    private static final ProbeTarget TARGET = new ProbeTarget(
            "a",
            new Probe(
                    new InetSocketAddress(Samples.VIP4, 80),
                    Route.direct(Samples.ONE),
                    new TcpCheck(),
                    Duration.ofSeconds(1)),
            new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2), 2, 3, HOLD));

    @Test
    void whoIsNotKnownStartsAsTheKernelHasIt() {
        assertEquals(
                HealthState.UNKNOWN,
                HealthRecord.NONE.initial(TARGET, false, NOW).state());
        assertEquals(
                HealthState.UP, HealthRecord.NONE.initial(TARGET, true, NOW).state());
    }

    @Test
    void whoWasUpIsSoIfTheKernelServesIt() {
        Health served = initial(HealthState.UP, BEFORE, 1, true);
        assertEquals(HealthState.UP, served.state());
        assertEquals(BEFORE, served.since());
        assertEquals("because", served.reason());
        assertEquals(1, served.dampening().flaps());
        assertTrue(served.stale());
        Health other = initial(HealthState.UP, BEFORE, 1, false);
        assertEquals(HealthState.UNKNOWN, other.state());
        assertEquals("not probed yet", other.reason());
        assertEquals(1, other.dampening().flaps(), "it may go on flapping");
    }

    @Test
    void whoWasDownIsSoWhateverTheKernelHas() {
        for (boolean served : new boolean[] {true, false}) {
            Health health = initial(HealthState.DOWN, BEFORE, 0, served);
            assertEquals(HealthState.DOWN, health.state());
            assertTrue(health.stale());
            Health next = health.next(Verdict.success("fine", Duration.ZERO), NOW);
            assertFalse(next.stale());
            assertEquals(
                    HealthState.UP,
                    next.next(Verdict.success("fine", Duration.ZERO), NOW).state());
        }
    }

    @Test
    void aHoldEndsWhenItWouldHaveEnded() {
        Health health = initial(HealthState.DOWN, BEFORE, 1, false);
        assertEquals(Optional.of(BEFORE.plusSeconds(120)), health.dampening().heldUntil());
    }

    @Test
    void aHoldEndsThoughTheTimeOfDayWasSetBack() {
        Health health = initial(HealthState.DOWN, NOW.plus(Duration.ofDays(365)), 1, false);
        assertEquals(Optional.of(NOW.plusSeconds(120)), health.dampening().heldUntil());
    }

    private static Health initial(HealthState state, Instant since, int flaps, boolean served) {
        return new HealthRecord(Map.of("a", new Known(state, since, flaps, "because")), Freeze.Saved.NONE)
                .initial(TARGET, served, NOW);
    }
}
