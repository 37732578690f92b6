// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static io.l4lb.healthcheck.HealthState.DOWN;
import static io.l4lb.healthcheck.HealthState.UNKNOWN;
import static io.l4lb.healthcheck.HealthState.UP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The core under a hand-turned clock: every probe's verdict is given by the test. */
final class HealthCoreTest {
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), 2, 2);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long INTERVAL = Duration.ofSeconds(2).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final FakeProber prober = new FakeProber();
    private long now;
    private int changes;
    private final HealthCore core = new HealthCore(prober, () -> START.plusNanos(now), new Random(7), () -> changes++);

    @Test
    void everyTargetStartsUnknownAndIsInTheSnapshotAtOnce() {
        set(UNKNOWN, target("a"), target("b"));
        assertEquals(Set.of("a", "b"), core.snapshot().byId().keySet());
        Health health = health("a");
        assertEquals(UNKNOWN, health.state());
        assertFalse(health.verified());
        assertEquals("not probed yet", health.reason());
        assertTrue(health.lastProbe().isEmpty());
    }

    @Test
    void firstProbesAreSpreadOverASecond() {
        set(UNKNOWN, IntStream.range(0, 200).mapToObj(i -> target("t" + i)).toArray(ProbeTarget[]::new));
        core.step(SECOND / 4);
        int early = prober.inFlight();
        core.step(SECOND);
        assertTrue(early > 20 && early < 80, "a quarter of the spread started " + early);
        assertEquals(200, prober.inFlight());
    }

    @Test
    void intervalsAreMeasuredFromStartToStartWithTenPercentOfJitter() {
        set(UNKNOWN, target("a"));
        advance();
        for (int i = 0; i < 200; i++) {
            long started = now;
            prober.take().answer(true, "connected");
            advance();
            long gap = now - started;
            assertTrue(gap >= INTERVAL * 9 / 10 && gap <= INTERVAL * 11 / 10, "gap " + gap);
        }
    }

    @Test
    void aTargetIsNeverProbedTwiceAtATime() {
        set(UNKNOWN, target("a"));
        advance();
        assertEquals(OptionalLong.empty(), core.step(now + 10 * INTERVAL));
        assertEquals(1, prober.inFlight());
        now += 10 * INTERVAL;
        prober.take().answer(true, "connected");
        core.step(now);
        assertEquals(1, prober.inFlight());
    }

    @Test
    void verdictsDampenAndTellOfChangesAndFirstVerdictsOnly() {
        set(UNKNOWN, target("a"));
        probe(true, "connected");
        assertEquals(1, changes); // the first verdict, still unknown
        probe(true, "connected");
        assertEquals(2, changes); // up
        probe(true, "connected");
        probe(false, "connection refused");
        assertEquals(2, changes);
        probe(false, "connection refused");
        assertEquals(3, changes); // down
        Health health = health("a");
        assertEquals(DOWN, health.state());
        assertEquals("connection refused", health.reason());
        assertEquals(2, health.failures());
        assertEquals(START.plusNanos(now), health.since());
        assertEquals(Duration.ofMillis(5), health.lastLatency().orElseThrow());
    }

    @Test
    void anAdoptedTargetServesUntilItFailsAsOftenAsAnyOther() {
        set(UP, target("a"));
        assertEquals(UP, health("a").state());
        assertEquals("adopted, not probed yet", health("a").reason());
        probe(false, "connection refused");
        assertEquals(UP, health("a").state());
        assertTrue(health("a").verified());
        assertEquals(1, changes);
        probe(false, "connection refused");
        assertEquals(DOWN, health("a").state());
    }

    @Test
    void unchangedTargetsKeepHealthAndSchedule() {
        set(UNKNOWN, target("a"));
        probe(true, "connected");
        OptionalLong due = core.nextDeadline();
        now += SECOND;
        set(UP, target("a"));
        assertEquals(due, core.nextDeadline());
        assertEquals(UNKNOWN, health("a").state());
        assertEquals(1, health("a").successes());
    }

    @Test
    void aChangedCheckKeepsTheStateAndIsProbedSoon() {
        set(UP, slow("a"));
        probe(true, "connected");
        ProbeTarget changed = Targets.target(
                "a",
                slow("a").probe().destination(),
                0,
                new HttpCheck("/"),
                slow("a").timing());
        set(UNKNOWN, changed);
        assertEquals(UP, health("a").state());
        assertTrue(core.nextDeadline().orElseThrow() <= now + SECOND);
        advance();
        assertEquals(changed.probe(), prober.take().probe());
    }

    @Test
    void aVerdictOnWhatATargetWasIsDropped() {
        set(UP, target("a"));
        advance();
        set(UP, Targets.target("a", target("a").probe().destination(), 9, new TcpCheck(), TIMING));
        prober.take().answer(false, "connection refused");
        assertFalse(health("a").verified());
        probe(true, "connected");
        assertEquals(1, health("a").successes());
    }

    @Test
    void aVerdictUnderAnOldTimingCountsUnderTheNewOne() {
        set(UP, target("a"));
        advance();
        Timing hair = new Timing(TIMING.interval(), 1, 1);
        set(UP, Targets.target("a", target("a").probe().destination(), 0, new TcpCheck(), hair));
        prober.take().answer(false, "connection refused");
        assertEquals(DOWN, health("a").state());
    }

    @Test
    void aRemovedTargetStopsAndItsLateVerdictIsIgnored() {
        set(UNKNOWN, target("a"), target("b"));
        now = SECOND;
        core.step(now);
        FakeProber.Started first = prober.take();
        FakeProber.Started second = prober.take();
        FakeProber.Started ofA = first.probe().equals(target("a").probe()) ? first : second;
        set(UNKNOWN, target("b"));
        ofA.answer(false, "connection refused");
        assertEquals(Set.of("b"), core.snapshot().byId().keySet());
        assertEquals(0, changes);
        set(UNKNOWN, target("a"), target("b"));
        ofA.answer(false, "connection refused");
        assertFalse(health("a").verified());
    }

    @Test
    void twoTargetsOfOneIdAreRefusedAndNothingChanges() {
        set(UP, target("a"));
        assertThrows(IllegalArgumentException.class, () -> set(UP, target("b"), target("b")));
        assertEquals(Set.of("a"), core.snapshot().byId().keySet());
    }

    @Test
    void aProberThatThrowsSaysNothingOfItsTargetAndStopsNoOther() {
        HealthCore fragile = new HealthCore(
                (probe, trace, sink) -> {
                    if (probe.destination().getPort() == 81) {
                        throw new IllegalArgumentException("no such check");
                    }
                    prober.probe(probe, trace, sink);
                },
                () -> START,
                new Random(7),
                () -> {});
        ProbeTarget bad = Targets.target("bad", new InetSocketAddress("192.0.2.1", 81), 0, new TcpCheck(), TIMING);
        fragile.setTargets(List.of(bad, target("good")), Targets.in(UP), 0);
        OptionalLong next = fragile.step(SECOND);
        assertEquals(List.of(target("good").probe()), prober.started());
        Health ofBad = fragile.snapshot().of("bad").orElseThrow();
        assertEquals(UP, ofBad.state());
        assertTrue(ofBad.reason().startsWith("the probe could not be started: "), ofBad.reason());
        assertTrue(next.isPresent());
    }

    @Test
    void aListenerThatThrowsDoesNotCountAsAVerdict() {
        HealthCore core = new HealthCore(
                (probe, trace, sink) -> sink.accept(Verdict.success("connected", Duration.ZERO)),
                () -> START,
                new Random(7),
                () -> {
                    throw new IllegalStateException("listener");
                });
        core.setTargets(List.of(target("a")), Targets.in(UP), 0);
        assertThrows(IllegalStateException.class, () -> core.step(SECOND));
        assertEquals(1, core.snapshot().of("a").orElseThrow().successes());
        assertTrue(core.nextDeadline().orElseThrow() > SECOND);
    }

    private void set(HealthState initial, ProbeTarget... targets) {
        core.setTargets(List.of(targets), Targets.in(initial), now);
    }

    /** To the next deadline, whose probes start. */
    private void advance() {
        now = core.nextDeadline().orElseThrow();
        core.step(now);
    }

    private void probe(boolean success, String reason) {
        advance();
        prober.take().answer(success, reason);
    }

    private Health health(String id) {
        return core.snapshot().of(id).orElseThrow();
    }

    private static ProbeTarget target(String id) {
        return Targets.target(
                id, new InetSocketAddress("192.0.2.1", 1000 + (id.hashCode() & 0x7fff)), 0, new TcpCheck(), TIMING);
    }

    private static ProbeTarget slow(String id) {
        Timing hourly = new Timing(Duration.ofHours(1), 2, 2);
        return Targets.target(
                id, new InetSocketAddress("192.0.2.1", 1000 + (id.hashCode() & 0x7fff)), 0, new TcpCheck(), hourly);
    }
}
