// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.status.StatsView;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What was counted, as of the latest pass, but for reals, which the status has: written by the reconcile thread, read by any.
 */
final class StatsCell implements Consumer<ReconcileLoop.Pass>, Supplier<StatsView> {
    private final InstantSource clock;
    private volatile StatsView latest;

    StatsCell(InstantSource clock) {
        this.clock = clock;
        this.latest = new StatsView(clock.instant().toString(), List.of(), List.of(), List.of(), null);
    }

    @Override
    public void accept(ReconcileLoop.Pass pass) {
        pass.outcome().ifPresent(outcome -> {
            try {
                latest = new StatsReport(outcome.config(), pass.dataplane().statistics(), key -> Map.of())
                        .view(clock.instant());
            } catch (DataplaneException e) {
                // The status says so; the figures stay what they were.
            }
        });
    }

    @Override
    public StatsView get() {
        return latest;
    }
}
