// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.StatusView;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An agent that answers what a test tells it to, and remembers what it was asked to explain. */
public final class FakeControlApi implements ControlApi {
    private volatile StatusView status = Samples.status();
    private volatile CompletableFuture<ReloadView> reload =
            CompletableFuture.completedFuture(new ReloadView(true, List.of(), List.of()));
    private volatile CompletableFuture<ExplainView> explanation =
            CompletableFuture.completedFuture(Samples.explanation());
    private final List<String> explained = new CopyOnWriteArrayList<>();

    private final CountDownLatch reloading = new CountDownLatch(1);

    public void reloads(CompletableFuture<ReloadView> answer) {
        reload = answer;
    }

    public void explains(CompletableFuture<ExplainView> answer) {
        explanation = answer;
    }

    public void reports(StatusView answer) {
        status = answer;
    }

    /** Waits until a reload has been asked for. */
    public void awaitReload() throws InterruptedException {
        if (!reloading.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("no reload was asked for");
        }
    }

    /** Source, destination, protocol number and whether it is a SYN, or a frame: one line a question. */
    public List<String> explained() {
        return explained;
    }

    @Override
    public StatusView status() {
        return status;
    }

    @Override
    public CompletableFuture<ReloadView> reload() {
        reloading.countDown();
        return reload;
    }

    @Override
    public CompletableFuture<ExplainView> explain(
            InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn) {
        explained.add(source + " " + destination + " " + protocol + " " + syn);
        return explanation;
    }

    @Override
    public CompletableFuture<ExplainView> explain(byte[] frame) {
        explained.add(HexFormat.of().formatHex(frame));
        return explanation;
    }
}
