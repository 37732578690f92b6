// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.reconcile.Reconciler;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The driver of the reconciler: the thread named {@code reconcile}, which does a pass when woken and once a second.
 * What it is told is a latest value and a wake-up. Public methods may be called from any thread.
 */
final class ReconcileLoop implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReconcileLoop.class.getName());

    private final Reconciler reconciler;
    private final Dataplane dataplane;
    private final InstantSource clock;
    private final Consumer<Pass> publish;
    private volatile Config wanted;
    private final AtomicBoolean routesChanged = new AtomicBoolean();
    private final Semaphore wake = new Semaphore(0);
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "reconcile");
    private volatile boolean stopping;
    private Optional<Outcome> latest = Optional.empty();

    /**
     * How a pass ended.
     *
     * @param outcome of the latest pass that ended well; empty: none has yet
     * @param problem why this one did not; empty: it did
     */
    record Pass(Optional<Outcome> outcome, Dataplane dataplane, String problem) {}

    ReconcileLoop(
            Reconciler reconciler, Dataplane dataplane, InstantSource clock, Config config, Consumer<Pass> publish) {
        this.reconciler = reconciler;
        this.dataplane = dataplane;
        this.clock = clock;
        this.publish = publish;
        this.wanted = config;
    }

    void start() {
        thread.start();
    }

    /** Does a pass soon: health, or a session, has changed. */
    void wake() {
        wake.release();
    }

    /** Does a pass soon that asks for routes and neighbours anew. */
    void followRoutes() {
        routesChanged.set(true);
        wake.release();
    }

    /** What is wanted now. */
    Config config() {
        return wanted;
    }

    /** Sets what is wanted from now on; completes when a pass with it has ended. */
    CompletableFuture<Outcome> want(Config config) {
        CompletableFuture<Outcome> done = new CompletableFuture<>();
        wanted = config;
        tasks.add(() -> {
            pass();
            latest.filter(outcome -> outcome.config().equals(config))
                    .ifPresentOrElse(
                            done::complete,
                            () -> done.completeExceptionally(new DataplaneException("the pass failed; see status")));
        });
        wake.release();
        return done;
    }

    /** Answers a question on the reconcile thread, from the latest outcome. */
    <T> CompletableFuture<T> ask(Function<Outcome, T> question) {
        return call(() -> question.apply(
                latest.orElseThrow(() -> new DataplaneException("no pass has ended well yet; see status"))));
    }

    /** What stands in the way of all packets to a configuration's reals; asked on the reconcile thread. */
    CompletableFuture<Optional<String>> obstacle(Config config) {
        return call(() -> dataplane.obstacle(config.reals()));
    }

    /** Has the reconciler do something, and completes when the pass after that has ended. */
    <T> CompletableFuture<T> tell(Function<Reconciler, T> order) {
        return call(() -> {
            T answer = order.apply(reconciler);
            pass();
            return answer;
        });
    }

    private <T> CompletableFuture<T> call(Supplier<T> question) {
        if (stopping) {
            return CompletableFuture.failedFuture(new DataplaneException("the agent is stopping"));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        tasks.add(() -> {
            try {
                answer.complete(question.get());
            } catch (DataplaneException e) {
                answer.completeExceptionally(e);
            }
        });
        wake.release();
        return answer;
    }

    private void run() {
        try {
            while (!stopping) {
                pass();
                await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            // An agent without this thread would go on announcing and follow nothing, out of memory or not.
            try {
                LOG.log(System.Logger.Level.ERROR, "the reconcile thread has found a broken invariant", e);
            } finally {
                Runtime.getRuntime().halt(70); // the dataplane goes on forwarding; systemd starts a new agent
            }
        }
    }

    private void pass() {
        boolean follow = routesChanged.getAndSet(false);
        String problem = "";
        try {
            latest = Optional.of(reconciler.step(wanted, follow, clock.instant()));
        } catch (DataplaneException e) {
            problem = String.valueOf(e.getMessage());
            if (follow) {
                routesChanged.set(true);
            }
        }
        publish.accept(new Pass(latest, dataplane, problem));
    }

    /** Waits until something wakes the thread or the next pass is due, and runs what was asked for. */
    private void await() throws InterruptedException {
        Instant now = clock.instant();
        long millis =
                Math.max(1, Duration.between(now, reconciler.deadline(now)).toMillis());
        if (wake.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            wake.drainPermits();
        }
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Ends after the pass under way. */
    @Override
    public void close() {
        stopping = true;
        wake.release();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
