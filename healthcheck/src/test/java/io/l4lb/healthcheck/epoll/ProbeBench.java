// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Targets;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.Check;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A prober on a loop of its own; waits for single verdicts. */
final class ProbeBench implements AutoCloseable {
    static final Duration PATIENT = Duration.ofSeconds(20);
    static final Duration HASTY = Duration.ofSeconds(1);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final EpollProber prober = new EpollProber(group.next());

    Verdict probe(InetSocketAddress destination, Check check, Duration timeout) {
        return await(start(destination, 0, check, timeout));
    }

    CompletableFuture<Verdict> start(InetSocketAddress destination, int mark, Check check, Duration timeout) {
        return start(Targets.probe(destination, mark, check, timeout));
    }

    CompletableFuture<Verdict> start(Probe probe) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        prober.probe(probe, Trace.NONE, given -> {
            if (!verdict.complete(given)) {
                throw new IllegalStateException("a second verdict: " + given);
            }
        });
        return verdict;
    }

    /** The steps of a probe in their order. */
    List<String> trace(InetSocketAddress destination, Check check) {
        List<String> steps = new ArrayList<>();
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        prober.probe(Targets.probe(destination, 0, check, PATIENT), steps::add, verdict::complete);
        await(verdict);
        return steps;
    }

    static Verdict await(CompletableFuture<Verdict> verdict) {
        try {
            return verdict.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no verdict", e);
        }
    }

    @Override
    public void close() {
        prober.close();
        var unused = group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
