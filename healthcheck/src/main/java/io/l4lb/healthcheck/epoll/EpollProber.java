// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Prober;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;

/**
 * Probes with non-blocking sockets on one epoll loop. A target's mark needs CAP_NET_ADMIN (or CAP_NET_RAW since Linux 5.17);
 * without it the verdict says so. Sockets are never bound, so that the kernel picks a source port that is free towards the
 * destination, and are always closed by a reset, so that no probe lingers in TIME_WAIT.
 */
public final class EpollProber implements Prober, AutoCloseable {
    private final EventLoop loop;
    private final Means means = new Means();

    /** All verdicts are given on this loop, which must be one of the epoll transport. */
    public EpollProber(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void probe(Probe probe, Trace trace, Consumer<Verdict> sink) {
        if (loop.inEventLoop()) {
            start(new ProbeRun(loop, probe, trace, sink));
        } else {
            loop.execute(() -> start(new ProbeRun(loop, probe, trace, sink)));
        }
    }

    /** Ends the commands that run. */
    @Override
    public void close() {
        means.close();
    }

    private void start(ProbeRun run) {
        run.start();
        run.probe().check().accept(new Parts(run, means)).run();
    }
}
