// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.ProcessStatus;
import io.l4lb.bgp.Route;
import io.l4lb.bgp.RouteSpeaker;
import io.l4lb.bgp.SpeakerStatus;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A route speaker over ExaBGP. One thread named "bgp" does all the work: it keeps ExaBGP running, keeps connected to it,
 * and hands it the difference between what is announced and what is wanted.
 */
public final class ExaBgpSpeaker implements RouteSpeaker {
    private static final long MIN_RECONNECT = Duration.ofMillis(50).toNanos();
    private static final long MAX_PAUSE = Duration.ofMinutes(1).toNanos();
    private static final long MAX_RECONNECT = Duration.ofSeconds(1).toNanos();
    private static final long MIN_REPAIR = Duration.ofMillis(100).toNanos();
    private static final long MAX_REPAIR = Duration.ofSeconds(10).toNanos();
    /** After so long without a failure the next one is repaired soon again. */
    private static final long STABLE = Duration.ofMinutes(1).toNanos();

    private static final System.Logger LOG = System.getLogger(ExaBgpSpeaker.class.getName());

    /** A status, and the wanted routes that the work had been directed by when it was taken. */
    private record Published(SpeakerStatus status, @Nullable Set<Route> basis) {}

    private final BgpSettings settings;
    private final LongSupplier nanoTime;
    private final Runnable onChange;
    private final Selector selector;
    private final Clock clock;
    private final ExaBgpProcess process;
    private final Thread thread;
    private final Object statusChanged = new Object();

    /** The latest-value cell of {@link #want}; null: nothing yet. */
    private final AtomicReference<@Nullable Set<Route>> wanted = new AtomicReference<>();

    private volatile Published published;
    private RouteSession session;
    private @Nullable Set<Route> seen;
    private volatile boolean closing;
    private @Nullable BridgeLink link;
    private boolean greeted = true;
    private long reconnectAt = Long.MIN_VALUE;
    private long reconnectPause = MIN_RECONNECT;
    private long repairPause = MIN_REPAIR;
    private long failedAt;

    private ExaBgpSpeaker(BgpSettings settings, Runnable onChange, Clock clock, LongSupplier nanoTime)
            throws IOException {
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.onChange = onChange;
        this.clock = clock;
        this.failedAt = nanoTime.getAsLong();
        this.selector = Selector.open();
        this.session = new RouteSession(settings.neighbors(), clock);
        this.process = new ExaBgpProcess(new ExaBgpFiles(settings));
        this.published = new Published(new SpeakerStatus(session.statuses(), process.status(), false), null);
        this.thread = new Thread(this::run, "bgp");
        this.thread.setDaemon(true);
    }

    /**
     * Starts working at once, but announces and withdraws nothing before the first {@link #want}.
     *
     * @param onChange called on the thread "bgp" after {@link #status} has changed; must return soon
     * @param clock stamps the statuses
     */
    public static ExaBgpSpeaker start(BgpSettings settings, Runnable onChange, Clock clock) {
        return start(settings, onChange, clock, System::nanoTime);
    }

    static ExaBgpSpeaker start(BgpSettings settings, Runnable onChange, Clock clock, LongSupplier nanoTime) {
        try {
            ExaBgpSpeaker speaker = new ExaBgpSpeaker(settings, onChange, clock, nanoTime);
            speaker.thread.start();
            return speaker;
        } catch (IOException e) {
            throw new BgpException("starting the route speaker", e);
        }
    }

    @Override
    public void want(Set<Route> routes) {
        wanted.set(Set.copyOf(routes));
        selector.wakeup();
    }

    @Override
    public SpeakerStatus status() {
        Published latest = published;
        return latest.basis() == wanted.get()
                ? latest.status()
                : latest.status().outdated();
    }

    @Override
    public boolean awaitSettled(Duration patience) throws InterruptedException {
        long end = nanoTime.getAsLong() + patience.toNanos();
        synchronized (statusChanged) {
            long left = end - nanoTime.getAsLong();
            while (!status().settled() && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(statusChanged, left);
                left = end - nanoTime.getAsLong();
            }
        }
        return status().settled();
    }

    @Override
    public void shutDown(Duration patience) throws InterruptedException {
        want(Set.of());
        awaitSettled(patience);
        close();
        process.stop();
        if (process.gone()) {
            session.exaBgpGone();
        }
        publish();
    }

    @Override
    public void close() {
        closing = true;
        selector.wakeup();
        synchronized (statusChanged) {
            statusChanged.notifyAll();
        }
        boolean interrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Without this thread nobody would withdraw what is dead, so it goes on whatever happens. An Error too is worth another
     * try here: a library does not end the process, and what it can do is to say so.
     */
    private void run() {
        Throwable failure = null;
        while (!closing) {
            try {
                if (failure != null) {
                    startOver(failure);
                    failure = null;
                }
                pass();
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                failure = e;
            }
        }
        try (selector) {
            disconnect(nanoTime.getAsLong());
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "closing the route speaker", e);
        }
    }

    private void pass() throws IOException {
        long now = nanoTime.getAsLong();
        long deadline = step(now);
        publish();
        long pause = deadline == NeighborRoutes.NEVER ? MAX_PAUSE : deadline - now;
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(pause)));
        selector.selectedKeys().clear();
    }

    /** Nothing that was known can be trusted: connects afresh, and is told again what is there and what is wanted. */
    private void startOver(Throwable failure) throws InterruptedException {
        try {
            process.problem("the route speaker failed and starts over: " + failure);
            LOG.log(System.Logger.Level.ERROR, "the route speaker failed and starts over", failure);
            long now = nanoTime.getAsLong();
            repairPause = now - failedAt >= STABLE ? MIN_REPAIR : Math.min(MAX_REPAIR, 2 * repairPause);
            failedAt = now;
            disconnect(now);
            session = new RouteSession(settings.neighbors(), clock);
            seen = null;
            publish();
        } finally {
            synchronized (statusChanged) {
                if (!closing) {
                    TimeUnit.NANOSECONDS.timedWait(statusChanged, repairPause);
                }
            }
        }
    }

    /** One pass: what has arrived, then what may be sent. Returns when the next one is due. */
    private long step(long now) {
        takeWanted();
        try {
            BridgeLink open = link;
            if (open == null) {
                if (now < reconnectAt) {
                    return reconnectAt;
                }
                open = connect(now);
            }
            if (open != null) {
                return converse(now, open);
            }
        } catch (IOException | BgpException e) {
            process.problem(String.valueOf(e.getMessage()));
            disconnect(now);
            if (session.silent()) {
                process.silent(now);
            }
        }
        reconnectAt = now + reconnectPause;
        reconnectPause = Math.min(MAX_RECONNECT, 2 * reconnectPause);
        return reconnectAt;
    }

    private void takeWanted() {
        Set<Route> latest = wanted.get();
        if (latest != null && latest != seen) {
            session.want(latest);
            seen = latest;
        }
    }

    private @Nullable BridgeLink connect(long now) {
        if (!greeted) {
            supervise(now); // somebody took the last connection and said nothing
        }
        try {
            BridgeLink opened = BridgeLink.connect(settings.exabgp().socket(), selector);
            link = opened;
            greeted = false;
            session.connected(now);
            return opened;
        } catch (IOException e) {
            greeted = true;
            supervise(now);
            return null;
        }
    }

    /** Returns whether ExaBGP has ended; another one may have been started. */
    private boolean supervise(long now) {
        boolean ended = false;
        try {
            process.tend(now);
        } finally {
            ended = process.takeEnded();
            if (ended || process.gone()) {
                session.exaBgpGone();
            }
        }
        return ended;
    }

    private long converse(long now, BridgeLink open) throws IOException {
        for (String line : open.read()) {
            session.receive(now, line);
        }
        Optional<Hello> hello = session.hello();
        if (hello.isPresent() && !greeted) {
            greet(now, open, hello.get());
        }
        open.flush();
        Optional<String> command = session.step(now);
        if (command.isPresent()) {
            open.write(command.get());
        }
        if (!session.silent()) {
            if (hello.isPresent()) {
                process.answers(now);
            }
            return session.deadline(now);
        }
        process.silent(now);
        if (supervise(now)) {
            throw new EOFException("ExaBGP ended");
        }
        return Math.min(session.deadline(now), process.deadline(now));
    }

    private void greet(long now, BridgeLink open, Hello hello) throws IOException {
        greeted = true;
        reconnectPause = MIN_RECONNECT;
        boolean reload = process.adopted(now, hello.exabgp());
        open.write("bridge dead-man " + settings.exabgp().deadMan().toSeconds());
        if (reload) {
            session.reloading(now);
            open.write("bridge reload");
        }
    }

    private void disconnect(long now) {
        BridgeLink open = link;
        link = null;
        session.disconnected();
        process.disconnected(now);
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                process.problem("closing the connection to the bridge: " + e.getMessage());
            }
        }
    }

    private void publish() {
        List<NeighborStatus> neighbors =
                session.presentable() ? session.statuses() : published.status().neighbors();
        ProcessStatus processStatus = process.status();
        SpeakerStatus next = new SpeakerStatus(neighbors, processStatus, session.current());
        synchronized (statusChanged) {
            boolean changed = !next.equals(published.status());
            published = new Published(next, seen);
            statusChanged.notifyAll();
            if (!changed) {
                return;
            }
        }
        try {
            onChange.run();
        } catch (RuntimeException e) {
            process.problem("telling of a change failed: " + e);
            LOG.log(System.Logger.Level.ERROR, "telling of a change of the routes' status failed", e);
        }
    }
}
