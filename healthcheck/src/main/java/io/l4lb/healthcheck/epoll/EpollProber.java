// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Prober;
import io.l4lb.healthcheck.Verdict;
import io.netty.channel.EventLoop;
import java.util.function.Consumer;

/**
 * Probes with non-blocking sockets on one epoll loop. A target's mark needs CAP_NET_ADMIN (or CAP_NET_RAW since Linux 5.17);
 * without it the verdict says so. Sockets are never bound, so that the kernel picks a source port that is free towards the
 * destination, and are always closed by a reset, so that no probe lingers in TIME_WAIT.
 */
public final class EpollProber implements Prober {
    private final EventLoop loop;

    /** All verdicts are given on this loop, which must be one of the epoll transport. */
    public EpollProber(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public void probe(ProbeTarget target, Consumer<Verdict> sink) {
        if (loop.inEventLoop()) {
            new ProbeRun(loop, target, sink).start();
        } else {
            loop.execute(() -> new ProbeRun(loop, target, sink).start());
        }
    }
}
