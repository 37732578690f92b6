// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Config;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthCore;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A director whose probes are scheduled, jittered and dampened as in production, on a clock that a test turns. */
final class Simulation {
    private static final Duration TICK = Duration.ofMillis(100);

    final InMemoryDataplane kernel = new InMemoryDataplane();
    final FakeRoutes routes = new FakeRoutes();
    /** The reals that do not answer. */
    final Set<InetAddress> dead = new HashSet<>();
    /** Whether any probe gets anywhere. */
    boolean path = true;

    private final long seed;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Instant origin = now;
    private HealthCore health;
    private Reconciler reconciler;
    private Config config;
    private Optional<Outcome> latest = Optional.empty();

    Simulation(Config config, long seed) {
        this.config = config;
        this.seed = seed;
        this.health = health();
        this.reconciler = reconciler(HealthRecord.NONE);
    }

    private HealthCore health() {
        return new HealthCore(this::probe, () -> now, new SplittableRandom(seed), () -> {});
    }

    private Reconciler reconciler(HealthRecord earlier) {
        Probes probes = new Probes() {
            @Override
            public void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial) {
                health.setTargets(targets, initial, nanos());
            }

            @Override
            public HealthSnapshot snapshot() {
                return health.snapshot();
            }
        };
        return new Reconciler(kernel, probes, routes, new Planner(new SeededTables(new HashSeed(1, 2))), earlier);
    }

    private void probe(Probe probe, Trace trace, Consumer<Verdict> sink) {
        sink.accept(
                path && !dead.contains(probe.route().real())
                        ? Verdict.success("connected", Duration.ofMillis(1))
                        : Verdict.failure("no answer within 1s", Duration.ofSeconds(1)));
    }

    /** Lets time go by. */
    Outcome run(Duration duration) {
        Instant end = now.plus(duration);
        while (now.isBefore(end)) {
            now = now.plus(TICK);
            var unused = health.step(nanos());
            latest = Optional.of(reconciler.step(config, false, now));
        }
        return outcome();
    }

    Outcome outcome() {
        return latest.orElseThrow();
    }

    void reload(Config next) {
        config = next;
    }

    Set<InetAddress> vips() {
        return config.services().stream()
                .flatMap(service -> service.frontend().vips().stream())
                .collect(Collectors.toSet());
    }

    /** Another agent takes over what this one has left in the kernel and in its state file. */
    void restart() {
        HealthRecord record = HealthRecord.of(outcome());
        health = health();
        reconciler = reconciler(record);
    }

    Reconciler reconciler() {
        return reconciler;
    }

    Set<InetAddress> active(ServiceKey key) {
        return Optional.ofNullable(kernel.observe().get(key))
                .map(ObservedService::active)
                .orElse(Set.of());
    }

    private long nanos() {
        return Duration.between(origin, now).toNanos();
    }
}
