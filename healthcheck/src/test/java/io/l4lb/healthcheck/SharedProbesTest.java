// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Probes that several targets share, and what limits them. */
final class SharedProbesTest {
    private static final InetSocketAddress REAL = new InetSocketAddress("192.0.2.1", 80);
    private static final Timing TIMING = new Timing(Duration.ofSeconds(2), 2, 3);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final FakeProber prober = new FakeProber();
    private long now;

    @Test
    void equalProbesAreRunOnceAndTellAll() {
        HealthCore core = core(100);
        Timing eager = new Timing(Duration.ofSeconds(2), 1, 1);
        core.setTargets(
                List.of(target("a", TIMING), target("b", TIMING), target("eager", eager)),
                Targets.in(HealthState.UNKNOWN),
                0);
        assertEquals(1, core.statistics(now).probes());
        assertEquals(3, core.statistics(now).targets());
        core.step(SECOND);
        assertEquals(1, prober.inFlight());
        prober.take().answer(true, "connected");
        HealthSnapshot snapshot = core.snapshot();
        assertEquals(HealthState.UNKNOWN, snapshot.state("a"));
        assertEquals(1, snapshot.of("b").orElseThrow().successes());
        assertEquals(HealthState.UP, snapshot.state("eager"), "each has a rise of its own");
    }

    @Test
    void anotherIntervalIsAnotherProbe() {
        HealthCore core = core(100);
        Timing slow = new Timing(Duration.ofSeconds(9), 2, 3);
        core.setTargets(List.of(target("a", TIMING), target("b", slow)), Targets.in(HealthState.UNKNOWN), 0);
        assertEquals(2, core.statistics(now).probes());
    }

    @Test
    void whoLeavesASharedProbeTakesNothingAway() {
        HealthCore core = core(100);
        core.setTargets(List.of(target("a", TIMING), target("b", TIMING)), Targets.in(HealthState.UNKNOWN), 0);
        core.step(SECOND);
        core.setTargets(List.of(target("b", TIMING)), Targets.in(HealthState.UNKNOWN), SECOND);
        prober.take().answer(true, "connected");
        assertEquals(1, core.snapshot().of("b").orElseThrow().successes());
        core.setTargets(List.of(), Targets.in(HealthState.UNKNOWN), SECOND);
        assertEquals(0, core.statistics(now).probes());
        assertTrue(core.nextDeadline().isEmpty());
    }

    @Test
    void whoJoinsWhileItIsUnderWayHearsItsVerdict() {
        HealthCore core = core(100);
        core.setTargets(List.of(target("a", TIMING)), Targets.in(HealthState.UNKNOWN), 0);
        core.step(SECOND);
        core.setTargets(List.of(target("a", TIMING), target("b", TIMING)), Targets.in(HealthState.UNKNOWN), SECOND);
        prober.take().answer(false, "connection refused");
        assertEquals(HealthState.DOWN, core.snapshot().state("b"));
    }

    @Test
    void whatIsBeyondTheBoundWaitsAndShowsAsLag() {
        HealthCore core = core(10);
        List<ProbeTarget> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            many.add(Targets.target("t" + i, new InetSocketAddress("192.0.2.1", 1000 + i), 0, new TcpCheck(), TIMING));
        }
        core.setTargets(many, Targets.in(HealthState.UNKNOWN), 0);
        core.step(2 * SECOND);
        assertEquals(10, prober.inFlight());
        assertTrue(core.nextDeadline().isEmpty(), "a verdict has to come first");
        for (int i = 0; i < 90; i++) {
            prober.take().answer(true, "connected");
            core.step(3 * SECOND);
            assertEquals(10, prober.inFlight());
        }
        assertEquals(100, prober.started().stream().distinct().count());
        ProbeStatistics statistics = core.statistics(3 * SECOND);
        assertEquals(new ProbeStatistics.Verdicts(90, 0, 0), statistics.verdicts());
        assertEquals(10, statistics.inFlight());
        assertTrue(
                statistics.lag().most().compareTo(Duration.ofSeconds(2)) > 0,
                statistics.lag().toString());
    }

    @Test
    void oneStepStartsABatchAndAsksToBeCalledAgain() {
        HealthCore core = core(10_000);
        List<ProbeTarget> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(Targets.target("t" + i, new InetSocketAddress("192.0.2.1", 1000 + i), 0, new TcpCheck(), TIMING));
        }
        core.setTargets(many, Targets.in(HealthState.UNKNOWN), 0);
        long steps = 0;
        while (core.step(2 * SECOND).orElse(Long.MAX_VALUE) <= 2 * SECOND) {
            steps++;
        }
        assertEquals(1000, prober.inFlight());
        assertEquals(1000 / HealthCore.BATCH, steps);
    }

    @Test
    void anInconclusiveVerdictCountsForNobody() {
        HealthCore core = core(100);
        core.setTargets(List.of(target("a", TIMING)), Targets.in(HealthState.UP), 0);
        for (int i = 0; i < 10; i++) {
            now = core.nextDeadline().orElseThrow();
            core.step(now);
            prober.take().sink().accept(Verdict.inconclusive("no free source port", Duration.ZERO));
        }
        Health health = core.snapshot().of("a").orElseThrow();
        assertEquals(HealthState.UP, health.state());
        assertTrue(health.stale());
        assertEquals(10, health.history().entries().get(0).count());
        assertEquals(10, core.statistics(now).verdicts().inconclusive());
    }

    private HealthCore core(int mostInFlight) {
        return new HealthCore(prober, () -> Instant.EPOCH, new Random(7), () -> {}, mostInFlight);
    }

    private static ProbeTarget target(String id, Timing timing) {
        return Targets.target(id, REAL, 0, new TcpCheck(), timing);
    }
}
