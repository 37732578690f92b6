// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;

import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.reconcile.FakeProbes;
import io.l4lb.agent.reconcile.FakeRoutes;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.agent.reconcile.Reconciler;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The agent's threads and answers over fakes of kernel, probes and routes. */
final class RunningAgent implements AutoCloseable {
    static final HashSeed SEED = new HashSeed(1, 2);

    final InMemoryDataplane kernel = new InMemoryDataplane();
    final FakeProbes probes = new FakeProbes();
    final ReconcileLoop loop;
    final AgentControl control;
    final StatsCell stats;
    private final Reloads reloads;
    private final Observation observation;
    volatile LoadResult files;

    RunningAgent(Config config) {
        this(config, new SeededTables(SEED));
    }

    RunningAgent(Config config, Tables tables) {
        files = new LoadResult(Optional.of(config), List.of());
        StatusCell status = new StatusCell(
                "test", Instant.EPOCH, kernel.info(), () -> new BgpView("none", List.of()), List.of("a note"));
        Reconciler reconciler = new Reconciler(kernel, probes, new FakeRoutes(), new Planner(tables));
        stats = new StatsCell(Clock.systemUTC());
        loop = new ReconcileLoop(reconciler, kernel, Clock.systemUTC(), config, status.andThen(stats));
        observation = new Observation(
                loop, kernel, new HealthAnswers(loop, new ProbesInHand(probes), Clock.systemUTC()), Clock.systemUTC());
        reloads = new Reloads(
                Path.of("/etc/l4lb/l4lb.toml"), loop, status, running -> files, next -> Dataplanes.tables(next, SEED));
        control = new AgentControl(kernel, loop, status, reloads, new ModelExplainer(kernel), observation);
        loop.start();
    }

    /** Probes that an operator asks for: each says where it goes, and succeeds unless its real is the one that does not. */
    record ProbesInHand(FakeProbes probes) implements HealthAnswers.Probing {
        @Override
        public Optional<Probe> probe(String id) {
            return probes.probe(id);
        }

        @Override
        public void probeNow(Probe probe, Trace trace, Consumer<Verdict> sink) {
            trace.note("SYN sent " + probe.route().words());
            sink.accept(
                    probe.route().real().equals(ONE)
                            ? Verdict.success("connected", Duration.ofMillis(2))
                            : Verdict.failure("connection refused", Duration.ofMillis(1)));
        }
    }

    /** All reals are up, and a pass has seen it. */
    RunningAgent up() throws Exception {
        loop.want(loop.config()).get(10, TimeUnit.SECONDS);
        probes.all(HealthState.UP);
        loop.want(loop.config()).get(10, TimeUnit.SECONDS);
        return this;
    }

    StatusView status() {
        return control.status();
    }

    @Override
    public void close() {
        reloads.close();
        observation.close();
        loop.close();
    }
}
