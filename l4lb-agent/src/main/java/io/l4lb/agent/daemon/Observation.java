// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.Rows;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.StatsView;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;

/** What can be seen of the traffic: counters, flows, packets; and of the reals: their health. Methods may be called from any thread and do not block. */
final class Observation implements AutoCloseable {
    private final ReconcileLoop loop;
    private final Dataplane dataplane;
    private final HealthAnswers health;
    private final Clock clock;
    private final FlowAnswers flows;
    private final CaptureAnswers captures;

    Observation(ReconcileLoop loop, Dataplane dataplane, HealthAnswers health, Clock clock) {
        this.loop = loop;
        this.dataplane = dataplane;
        this.health = health;
        this.clock = clock;
        this.flows = new FlowAnswers(loop, dataplane);
        this.captures = new CaptureAnswers(loop, dataplane, clock);
    }

    CompletableFuture<StatsView> stats() {
        return loop.ask(outcome -> new StatsReport(outcome.config(), dataplane.statistics(), dataplane::counters)
                        .view(clock.instant()))
                .thenCombine(flows.fill(), StatsView::with);
    }

    HealthAnswers health() {
        return health;
    }

    Rows flows(FlowsRequest request) {
        return flows.flows(request);
    }

    CompletableFuture<FlowCountsView> countFlows(FlowsRequest request) {
        return flows.count(request);
    }

    Rows capture(CaptureRequest request) {
        return captures.capture(request);
    }

    @Override
    public void close() {
        captures.close();
        flows.close();
    }
}
