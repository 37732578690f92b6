// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthCheckException;
import io.l4lb.healthcheck.HealthCore;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeStatistics;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Prober;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Owns the thread {@code health}, an epoll loop that runs a {@link HealthCore} and its probes. Any thread may call it. The
 * probes run in the network namespace of the thread that made the monitor.
 */
public final class HealthMonitor implements AutoCloseable {
    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Prober prober;
    private final HealthCore core;
    private final long origin = System.nanoTime();

    // The health thread's own.
    private @Nullable ScheduledFuture<?> timer;
    private long timerDeadline;
    private boolean closed;

    /**
     * @param prober made for the health thread's loop
     * @param onChange called on the health thread after a state changed or a first verdict came; must not block
     * @throws HealthCheckException if this machine cannot run Netty's native epoll transport
     */
    public HealthMonitor(
            Function<EventLoop, Prober> prober, InstantSource clock, RandomGenerator random, Runnable onChange) {
        Throwable unavailable = Epoll.unavailabilityCause();
        if (unavailable != null) {
            throw new HealthCheckException("the native epoll transport is not available", unavailable);
        }
        ThreadFactory threads = task -> {
            Thread thread = new FastThreadLocalThread(task, "health");
            thread.setDaemon(true);
            return thread;
        };
        group = new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory());
        loop = group.next();
        this.prober = prober.apply(loop);
        core = new HealthCore(rearming(this.prober), clock, random, onChange);
    }

    /** With real sockets and the machine's clock. */
    public static HealthMonitor start(Runnable onChange) {
        return new HealthMonitor(EpollProber::new, InstantSource.system(), new SplittableRandom(), onChange);
    }

    /**
     * Makes these the targets, as {@link HealthCore#setTargets} says. When this returns, {@link #snapshot} has exactly
     * these. {@code initial} is called on the health thread while the caller waits.
     *
     * @throws IllegalArgumentException if two targets have one id; nothing is changed then
     */
    public void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial) {
        if (loop.inEventLoop()) {
            applyTargets(targets, initial);
        } else {
            var unused = loop.submit(() -> applyTargets(targets, initial)).syncUninterruptibly();
        }
    }

    /** The latest health of every target; never waits. */
    public HealthSnapshot snapshot() {
        return core.snapshot();
    }

    /** What is asked for the target of that id; empty: there is none. Never waits. */
    public Optional<Probe> probe(String id) {
        return core.probe(id);
    }

    /** What health checking has done and is doing; never waits. */
    public ProbeStatistics statistics() {
        return core.statistics(now());
    }

    /** Does a probe now, beside the schedule and without effect on it. Trace and sink are called on the health thread. */
    public void probeNow(Probe probe, Trace trace, Consumer<Verdict> sink) {
        try {
            loop.execute(() -> prober.probe(probe, trace, sink));
        } catch (RejectedExecutionException e) {
            sink.accept(Verdict.inconclusive("health checking has ended", Duration.ZERO));
        }
    }

    /** Ends all probes and the thread. The last snapshot stays readable. */
    @Override
    public void close() {
        if (group.isShuttingDown()) {
            return;
        }
        var stopped = loop.submit(this::stop);
        var ended = group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
        if (!loop.inEventLoop()) {
            stopped.awaitUninterruptibly();
            ended.awaitUninterruptibly();
        }
    }

    private void applyTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial) {
        if (!closed) {
            core.setTargets(targets, initial, now());
            arm();
        }
    }

    private void pass() {
        timer = null;
        if (!closed) {
            try {
                core.step(now());
            } finally {
                arm();
            }
        }
    }

    /** A verdict puts its target back in line, so the next deadline may be closer than the timer. */
    private Prober rearming(Prober prober) {
        return (probe, trace, sink) -> prober.probe(probe, trace, verdict -> {
            if (!closed) {
                try {
                    sink.accept(verdict);
                } finally {
                    arm();
                }
            }
        });
    }

    private void arm() {
        OptionalLong next = core.nextDeadline();
        if (timer != null && (next.isEmpty() || next.getAsLong() != timerDeadline)) {
            timer.cancel(false);
            timer = null;
        }
        if (timer == null && next.isPresent()) {
            timerDeadline = next.getAsLong();
            timer = loop.schedule(this::pass, timerDeadline - now(), TimeUnit.NANOSECONDS);
        }
    }

    private void stop() {
        closed = true;
        if (prober instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new IllegalStateException("the prober cannot be closed", e);
            }
        }
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }
}
