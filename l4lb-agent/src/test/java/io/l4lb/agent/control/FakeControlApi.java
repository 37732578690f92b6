// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.HealthAcceptView;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.IpvsadmView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.StatsView;
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
    private volatile CompletableFuture<ConfigDiffView> diff =
            CompletableFuture.completedFuture(new ConfigDiffView(true, List.of(), List.of(), List.of()));
    private volatile CompletableFuture<IpvsadmView> rules =
            CompletableFuture.completedFuture(new IpvsadmView(List.of()));
    private volatile CompletableFuture<ExplainView> explanation =
            CompletableFuture.completedFuture(Samples.explanation());
    private final List<String> explained = new CopyOnWriteArrayList<>();
    private final List<Object> asked = new CopyOnWriteArrayList<>();
    private final List<StatsView> stats = new CopyOnWriteArrayList<>();
    private volatile FlowCountsView flowCounts = new FlowCountsView(List.of(), 0, 0, 1);
    private volatile Rows rows = RowSink::end;

    private final CountDownLatch reloading = new CountDownLatch(1);

    public void reloads(CompletableFuture<ReloadView> answer) {
        reload = answer;
    }

    public void differs(CompletableFuture<ConfigDiffView> answer) {
        diff = answer;
    }

    public void has(CompletableFuture<IpvsadmView> answer) {
        rules = answer;
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
    public CompletableFuture<ConfigDiffView> diff() {
        return diff;
    }

    @Override
    public CompletableFuture<IpvsadmView> ipvsadm() {
        return rules;
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

    public void counts(StatsView... answers) {
        stats.clear();
        stats.addAll(List.of(answers));
    }

    /** One answer after the other; the last one again and again. */
    @Override
    public CompletableFuture<StatsView> stats() {
        return CompletableFuture.completedFuture(stats.size() > 1 ? stats.remove(0) : stats.get(0));
    }

    /** What a client is sent that asks for flows, or captures. */
    public void sends(Rows answer) {
        rows = answer;
    }

    /** The requests for flows and captures, in their order. */
    public List<Object> asked() {
        return asked;
    }

    @Override
    public CompletableFuture<Rows> flows(FlowsRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(rows);
    }

    public void counts(FlowCountsView answer) {
        flowCounts = answer;
    }

    @Override
    public CompletableFuture<FlowCountsView> countFlows(FlowsRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(flowCounts);
    }

    @Override
    public CompletableFuture<Rows> capture(CaptureRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(rows);
    }

    @Override
    public CompletableFuture<HealthAcceptView> acceptHealth(HealthAcceptRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(
                new HealthAcceptView(request.all() ? List.of("edge", "web") : List.of(request.service())));
    }

    @Override
    public CompletableFuture<List<HealthView>> health(HealthRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(Samples.health());
    }

    @Override
    public CompletableFuture<List<ProbeView>> probe(HealthRequest request) {
        asked.add(request);
        return CompletableFuture.completedFuture(Samples.probes());
    }
}
