// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.announce.NoRoutes;
import io.l4lb.agent.announce.VipRoutes;
import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.ControlServer;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.BgpSection;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.reconcile.Announcements;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.agent.reconcile.Probes;
import io.l4lb.agent.reconcile.Reconciler;
import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.RouteSpeaker;
import io.l4lb.bgp.exabgp.ExaBgpSpeaker;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.epoll.HealthMonitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The running agent. Everything is made in {@link #start}, and closed in reverse by {@link #stop}, which withdraws the
 * routes and leaves the dataplane forwarding.
 */
public final class AgentDaemon {
    private static final System.Logger LOG = System.getLogger(AgentDaemon.class.getName());
    /** How long a shutdown waits for the withdrawals to be sent. */
    private static final Duration WITHDRAW_PATIENCE = Duration.ofSeconds(5);

    /** The key of what the kernel may have to be told to do. */
    static final String NEXT_HOP = "xdp.next-hop";

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private Optional<RouteSpeaker> speaker = Optional.empty();
    private Optional<ReconcileLoop> reconciling = Optional.empty();

    private AgentDaemon() {}

    /** Passes wake-ups on once there is somebody to wake. */
    private static final class WakeUp implements Runnable {
        private volatile Runnable target = () -> {};

        @Override
        public void run() {
            target.run();
        }
    }

    /**
     * Starts an agent in this network namespace; returns once its threads run.
     *
     * @param file the main configuration file, read again by a reload
     * @param loaded what it said; with a configuration
     * @param hup asks for reloads; for one if it has come already
     * @throws RuntimeException with a message for the operator, if it cannot run; nothing is left open then
     */
    public static AgentDaemon start(Path file, LoadResult loaded, String version, ReloadSignal hup) {
        AgentDaemon daemon = new AgentDaemon();
        try {
            daemon.wire(file, loaded, version, hup);
            return daemon;
        } catch (RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    private void wire(Path file, LoadResult loaded, String version, ReloadSignal hup) {
        Config config = loaded.config().orElseThrow();
        Clock clock = Clock.systemUTC();
        StateDirectory state = opened(StateDirectory.lock(config.agent().stateDir()));
        List<String> notes = new ArrayList<>();
        HashSeed seed = seed(config, notes);
        refuseObstacle(file, loaded, config);
        Dataplanes.refuseOther(config);
        Dataplanes.Opened kernel = Dataplanes.open(config, state.directory(), seed, AgentDaemon::uptime);
        Dataplane dataplane = opened(kernel.dataplane());
        // Health and sessions wake a loop that needs both of them: the cell closes the circle.
        WakeUp onChange = new WakeUp();
        speaker = config.bgp().map(bgp -> ExaBgpSpeaker.start(settings(bgp, state), onChange, clock));
        HealthMonitor monitor = opened(HealthMonitor.start(onChange));
        HealthFile health = opened(HealthFile.open(state.directory(), HealthFile.INTERVAL, notes::add));
        StatusCell status = new StatusCell(
                version, clock.instant(), dataplane.info(), new Sessions(config.bgp(), speaker)::view, notes);
        Announcements announcements = speaker.<Announcements>map(VipRoutes::new).orElseGet(NoRoutes::new);
        Planner planner = new Planner(Dataplanes.tables(config, seed));
        Reconciler reconciler = new Reconciler(dataplane, probes(monitor), announcements, planner, health.earlier());
        StatsCell stats = new StatsCell(clock);
        ReconcileLoop loop = new ReconcileLoop(
                reconciler,
                dataplane,
                AgentDaemon::uptime,
                config,
                status.andThen(stats).andThen(health));
        status.configuration(loaded.problems().stream().map(Problem::toString).toList(), loaded.warnings());
        onChange.target = loop::wake;
        closers.push(loop::close);
        reconciling = Optional.of(loop);
        opened(RouteWatch.start(loop::followRoutes));
        Observation observation =
                opened(new Observation(loop, dataplane, new HealthAnswers(loop, probing(monitor), clock), clock));
        Reloads reloads = opened(new Reloads(
                file,
                loop,
                status,
                running -> ConfigLoader.load(file, Optional.of(running)),
                next -> Dataplanes.tables(next, seed)));
        AgentControl control = new AgentControl(dataplane, loop, status, reloads, kernel.explainer(), observation);
        opened(ControlServer.start(config.agent().controlSocket(), control));
        config.agent()
                .metricsListen()
                .ifPresent(listen -> opened(MetricsServer.start(listen, status, stats, monitor::statistics)));
        loop.start();
        hup.asksFor(reloads::reloadAndLog);
        closers.push(status::stopping);
        logStart(config, dataplane);
    }

    /** Else all would run, and no packet would get anywhere. What comes up later is a problem in the status. */
    private static void refuseObstacle(Path file, LoadResult loaded, Config config) {
        Dataplanes.obstacle(config).ifPresent(message -> {
            int line = loaded.lines().of(NEXT_HOP);
            throw new DataplaneException(new Problem(file, line, NEXT_HOP, message).toString());
        });
    }

    /** A clock that never goes back, whatever is done to the time of day; its beginning means nothing. */
    private static Instant uptime() {
        return Instant.EPOCH.plusNanos(System.nanoTime());
    }

    private static void logStart(Config config, Dataplane dataplane) {
        Dataplane.Info info = dataplane.info();
        LOG.log(
                System.Logger.Level.INFO,
                "{0} on {1}, {2}, {3}; {4} services; control socket {5}",
                info.type(),
                info.interfaceName(),
                info.mode(),
                info.adopted() ? "adopted" : "new",
                config.services().size(),
                config.agent().controlSocket());
    }

    private static HashSeed seed(Config config, List<String> notes) {
        return config.agent().hashSeedFile().map(AgentDaemon::readSeed).orElseGet(() -> {
            notes.add(Dataplanes.withoutSeed(config));
            return new HashSeed(0, 0);
        });
    }

    private static HashSeed readSeed(Path file) {
        try {
            return HashSeed.ofHex(ConfigLoader.readSeed(file));
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": " + e.getMessage(), e);
        }
    }

    private static BgpSettings settings(BgpSection bgp, StateDirectory state) {
        List<Neighbor> neighbors = bgp.neighbors().stream()
                .map(neighbor -> new Neighbor(neighbor.address(), neighbor.peerAs(), null))
                .toList();
        ExaBgpSettings exabgp =
                ExaBgpSettings.in(StateDirectory.bgp(state.directory())).withProgram(bgp.exabgp());
        return new BgpSettings(bgp.localAs(), bgp.routerId(), neighbors, bgp.holdTime(), exabgp);
    }

    private static Probes probes(HealthMonitor monitor) {
        return new Probes() {
            @Override
            public void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial) {
                monitor.setTargets(targets, initial);
            }

            @Override
            public HealthSnapshot snapshot() {
                return monitor.snapshot();
            }
        };
    }

    private static HealthAnswers.Probing probing(HealthMonitor monitor) {
        return new HealthAnswers.Probing() {
            @Override
            public Optional<Probe> probe(String id) {
                return monitor.probe(id);
            }

            @Override
            public void probeNow(Probe probe, Trace trace, Consumer<Verdict> sink) {
                monitor.probeNow(probe, trace, sink);
            }
        };
    }

    private <T extends AutoCloseable> T opened(T resource) {
        closers.push(() -> {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, "closing " + resource, e);
            }
        });
        return resource;
    }

    /** Ends the agent: the routes are withdrawn, the dataplane goes on forwarding. Waits until that is done. */
    public void stop() {
        LOG.log(System.Logger.Level.INFO, "stopping: withdrawing the routes, leaving the dataplane as it is");
        reconciling.ifPresent(ReconcileLoop::close); // nothing is announced again
        speaker.ifPresent(AgentDaemon::shutDown);
        close();
        LOG.log(System.Logger.Level.INFO, "stopped");
    }

    private static void shutDown(RouteSpeaker speaker) {
        try {
            speaker.shutDown(WITHDRAW_PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }
}
