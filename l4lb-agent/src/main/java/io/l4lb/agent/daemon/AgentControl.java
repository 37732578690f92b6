// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.ControlApi;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.HealthAcceptRequest;
import io.l4lb.agent.control.HealthRequest;
import io.l4lb.agent.control.Rows;
import io.l4lb.agent.dataplane.Dataplane;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the control socket answers. */
final class AgentControl implements ControlApi {
    private final Dataplane dataplane;
    private final ReconcileLoop loop;
    private final StatusCell status;
    private final Reloads reloads;
    private final Explainer explainer;
    private final Observation observation;

    /** The answers. The dataplane is asked on the thread of the loop. */
    AgentControl(
            Dataplane dataplane,
            ReconcileLoop loop,
            StatusCell status,
            Reloads reloads,
            Explainer explainer,
            Observation observation) {
        this.dataplane = dataplane;
        this.loop = loop;
        this.status = status;
        this.reloads = reloads;
        this.explainer = explainer;
        this.observation = observation;
    }

    @Override
    public StatusView status() {
        return status.get();
    }

    @Override
    public CompletableFuture<IpvsadmView> ipvsadm() {
        return loop.ask(outcome -> dataplane.ipvsadm().map(IpvsadmView::new))
                .thenApply(rules -> rules.orElseThrow(
                        () -> ControlException.refused("only the dataplane ipvs has rules for ipvsadm; this one is "
                                + status.get().dataplane().type())));
    }

    @Override
    public CompletableFuture<ReloadView> reload() {
        return reloads.reload();
    }

    @Override
    public CompletableFuture<ConfigDiffView> diff() {
        return reloads.diff();
    }

    @Override
    public CompletableFuture<HealthAcceptView> acceptHealth(HealthAcceptRequest request) {
        return new Acceptance(loop).of(request);
    }

    @Override
    public CompletableFuture<List<HealthView>> health(HealthRequest request) {
        return observation.health().of(request);
    }

    @Override
    public CompletableFuture<List<ProbeView>> probe(HealthRequest request) {
        return observation.health().probe(request);
    }

    @Override
    public CompletableFuture<ExplainView> explain(
            InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn) {
        return explain(new AskedPacket(source, destination, protocol, syn).frame());
    }

    @Override
    public CompletableFuture<ExplainView> explain(byte[] frame) {
        return loop.ask(outcome -> explainer.explain(outcome, frame));
    }

    @Override
    public CompletableFuture<StatsView> stats() {
        return observation.stats();
    }

    @Override
    public CompletableFuture<Rows> flows(FlowsRequest request) {
        return CompletableFuture.completedFuture(observation.flows(request));
    }

    @Override
    public CompletableFuture<FlowCountsView> countFlows(FlowsRequest request) {
        return observation.countFlows(request);
    }

    @Override
    public CompletableFuture<Rows> capture(CaptureRequest request) {
        return CompletableFuture.completedFuture(observation.capture(request));
    }
}
