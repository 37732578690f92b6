// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.Verdict.Notes;
import io.l4lb.healthcheck.Verdict.Outcome;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One probe from its start to its verdict, under one deadline. It knows nothing of sockets: its part does. Confined to the loop. */
final class ProbeRun {
    /** What a part holds open: a channel, a process, a place in a table. */
    @FunctionalInterface
    interface Resource {
        /** Lets go of it, and calls back on the loop once it is gone: at once or later, but always. */
        void close(Runnable closed);
    }

    private final EventLoop loop;
    private final Probe probe;
    private final Trace trace;
    private final Consumer<Verdict> sink;
    private final long started = System.nanoTime();
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable Resource resource;
    private Runnable onDeadline;
    private Notes notes = Notes.NONE;
    private boolean finished;

    ProbeRun(EventLoop loop, Probe probe, Trace trace, Consumer<Verdict> sink) {
        this.loop = loop;
        this.probe = probe;
        this.trace = trace;
        this.sink = sink;
        this.onDeadline = () -> fail("no answer within " + probe.timeoutText());
    }

    /** Begins to wait for the deadline; for once, before anything else. */
    void start() {
        deadline = loop.schedule(() -> onDeadline.run(), probe.timeout().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** What is let go of at the end; set as soon as there is something to. */
    void holds(Resource held) {
        resource = held;
    }

    /** What the verdict says if the deadline passes from now on. */
    void onTimeout(String reason) {
        onDeadline = () -> fail(reason);
    }

    /** What happens if the deadline passes from now on; it has to end the run. */
    void onTimeout(Runnable action) {
        onDeadline = action;
    }

    Probe probe() {
        return probe;
    }

    EventLoop loop() {
        return loop;
    }

    boolean finished() {
        return finished;
    }

    /** Whether anybody hears what {@link #note} says. */
    boolean traced() {
        return trace != Trace.NONE;
    }

    void note(String step) {
        trace.note(step);
    }

    /** Changes what the verdict will say beside its reason. */
    void notes(UnaryOperator<Notes> change) {
        notes = change.apply(notes);
    }

    void succeed(String reason) {
        finish(Outcome.SUCCESS, reason);
    }

    void fail(String reason) {
        finish(Outcome.FAILURE, reason);
    }

    /** The probe failed on this side: it says nothing of the real. */
    void giveUp(String reason) {
        finish(Outcome.INCONCLUSIVE, reason);
    }

    private void finish(Outcome outcome, String reason) {
        if (finished) {
            return;
        }
        finished = true;
        if (deadline != null) {
            deadline.cancel(false);
        }
        Verdict verdict = new Verdict(outcome, reason, Duration.ofNanos(System.nanoTime() - started), notes);
        // The verdict comes after the descriptor is gone: whoever has all verdicts knows that nothing is open.
        if (resource == null) {
            sink.accept(verdict);
        } else {
            resource.close(() -> sink.accept(verdict));
        }
    }
}
