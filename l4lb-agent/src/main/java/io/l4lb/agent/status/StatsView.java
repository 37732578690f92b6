// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the dataplane has counted.
 *
 * @param time when it was read, ISO 8601
 * @param flowTable how full the flow table is; null: it was not asked
 */
public record StatsView(
        String time,
        List<VerdictView> verdicts,
        List<ServiceStatsView> services,
        List<EventView> events,
        @Nullable FlowTableView flowTable) {
    public StatsView {
        verdicts = List.copyOf(verdicts);
        services = List.copyOf(services);
        events = List.copyOf(events);
    }

    /** The same, and how full the flow table is. */
    public StatsView with(FlowTableView flows) {
        return new StatsView(time, verdicts, services, events, flows);
    }

    /**
     * Packets of which the dataplane decided the same for the same reason.
     *
     * @param verdict in lower case with dashes
     * @param reason in words
     */
    public record VerdictView(String verdict, String reason, long packets, long bytes) {}

    /**
     * A service.
     *
     * @param notForwarded its packets that went to no real
     */
    public record ServiceStatsView(String service, List<RealStatsView> reals, List<VerdictView> notForwarded) {
        public ServiceStatsView {
            reals = List.copyOf(reals);
            notForwarded = List.copyOf(notForwarded);
        }
    }

    /** What was forwarded to a real. */
    public record RealStatsView(String real, long packets, long bytes) {}

    /**
     * What else was counted.
     *
     * @param meaning in words
     */
    public record EventView(String event, String meaning, long count) {}

    /** Entries, of which some no longer count and are there until their place is needed. */
    public record FlowTableView(long entries, long expired, long capacity) {}
}
