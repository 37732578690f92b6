// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.RowSink;
import io.l4lb.agent.control.Rows;
import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Captures, one at a time, each on a thread of its own named {@code capture}. Packets are copied as long as it lives: it
 * ends with its client, and with the agent.
 */
final class CaptureAnswers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CaptureAnswers.class.getName());
    private static final long CLOSE_SECONDS = 5;

    private final ReconcileLoop loop;
    private final Dataplane dataplane;
    private final Clock clock;
    private final AtomicReference<@Nullable Thread> running = new AtomicReference<>();
    private volatile boolean stopping;

    CaptureAnswers(ReconcileLoop loop, Dataplane dataplane, Clock clock) {
        this.loop = loop;
        this.dataplane = dataplane;
        this.clock = clock;
    }

    /**
     * The copies, from when they are asked for.
     *
     * @throws ControlException the dataplane copies no packets
     */
    Rows capture(CaptureRequest request) {
        dataplane.captureObstacle().ifPresent(reason -> {
            throw ControlException.refused(reason);
        });
        CaptureFilter filter = new CaptureFilter(request, new ServiceNames(loop.config()));
        return sink -> {
            Thread thread = new Thread(() -> run(request, filter, sink), "capture");
            thread.setDaemon(true);
            if (stopping || !running.compareAndSet(null, thread)) {
                sink.fail(stopping ? "the agent is stopping" : "another capture is running; there is one at a time");
                return;
            }
            thread.start();
        };
    }

    private void run(CaptureRequest request, CaptureFilter filter, RowSink sink) {
        try (Captures captures = LoopAnswers.await(loop.ask(outcome -> dataplane.captures()))) {
            CaptureSession session = new CaptureSession(request, filter, captures, sink, clock);
            sample(request.every());
            LOG.log(System.Logger.Level.INFO, "capture: one packet of {0} is copied", request.every());
            try {
                session.run(() -> stopping);
            } finally {
                sample(0);
                LOG.log(System.Logger.Level.INFO, "capture: ended");
            }
        } catch (RuntimeException e) {
            sink.fail(LoopAnswers.message(e));
        } finally {
            running.set(null);
        }
    }

    private void sample(int every) {
        try {
            boolean unused = LoopAnswers.await(loop.ask(outcome -> {
                dataplane.sample(every);
                return true;
            }));
        } catch (DataplaneException e) {
            if (!stopping) { // else closing the dataplane ends it
                throw e;
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        Thread thread = running.get();
        if (thread != null) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
