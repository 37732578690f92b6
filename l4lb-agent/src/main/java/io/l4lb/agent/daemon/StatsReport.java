// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.agent.dataplane.ipvs.IpvsVerdict;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatsView.EventView;
import io.l4lb.agent.status.StatsView.RealStatsView;
import io.l4lb.agent.status.StatsView.ServiceStatsView;
import io.l4lb.agent.status.StatsView.VerdictView;
import io.l4lb.hashing.decision.Verdict;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Turns counters into rows with words. */
final class StatsReport {
    private static final Map<String, String> REASONS = reasons();

    private final Config config;
    private final Statistics statistics;
    private final Function<ServiceKey, Map<InetAddress, Counter>> counters;

    /**
     * A report.
     *
     * @param counters of the reals of a service
     */
    StatsReport(Config config, Statistics statistics, Function<ServiceKey, Map<InetAddress, Counter>> counters) {
        this.config = config;
        this.statistics = statistics;
        this.counters = counters;
    }

    /** Everything but the flow table. */
    StatsView view(Instant now) {
        List<EventView> events = new ArrayList<>();
        statistics.events().forEach((event, count) -> events.add(new EventView(event.text(), event.meaning(), count)));
        return new StatsView(
                now.toString(),
                verdicts(statistics.verdicts()),
                config.services().stream().map(this::service).toList(),
                events,
                null);
    }

    private static Map<String, String> reasons() {
        Map<String, String> reasons = new HashMap<>();
        Arrays.stream(Verdict.values()).forEach(verdict -> reasons.put(verdict.text(), verdict.reason()));
        Arrays.stream(IpvsVerdict.values()).forEach(verdict -> reasons.put(verdict.text(), verdict.reason()));
        return Map.copyOf(reasons);
    }

    /** Why a packet is treated so, in words; empty: a verdict of another version. */
    static String reason(String verdict) {
        return REASONS.getOrDefault(verdict, "");
    }

    private static List<VerdictView> verdicts(Map<String, Counter> counters) {
        List<VerdictView> views = new ArrayList<>();
        counters.forEach((verdict, counter) ->
                views.add(new VerdictView(verdict, reason(verdict), counter.packets(), counter.bytes())));
        return views;
    }

    private ServiceStatsView service(Service service) {
        Map<InetAddress, Counter> reals = new LinkedHashMap<>();
        service.reals().forEach(real -> reals.put(real.address(), new Counter(0, 0)));
        Map<String, Counter> rest = new LinkedHashMap<>();
        for (ServiceKey key : ServiceKey.allOf(service)) {
            counters.apply(key).forEach((real, counter) -> reals.computeIfPresent(real, (a, sum) -> sum.plus(counter)));
            statistics
                    .notForwarded()
                    .getOrDefault(key, Map.of())
                    .forEach((verdict, counter) -> rest.merge(verdict, counter, Counter::plus));
        }
        List<RealStatsView> views = new ArrayList<>();
        reals.forEach(
                (real, counter) -> views.add(new RealStatsView(IpText.of(real), counter.packets(), counter.bytes())));
        return new ServiceStatsView(service.name(), views, verdicts(rest));
    }
}
