// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.HealthView.EntryView;
import io.l4lb.agent.status.HealthView.LoadView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.History;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.load.LoadReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/** Health as the control socket shows it. */
final class HealthReport {
    private static final double NANOS_IN_MILLI = 1e6;
    private static final int PERCENT = 100;

    private HealthReport() {}

    /**
     * A real by one VIP.
     *
     * @param state which is down if it cannot be reached, whatever its probes say
     * @param reason for that
     */
    static HealthView view(String service, RealKey key, Health health, HealthState state, String reason) {
        return new HealthView(
                service,
                IpText.of(key.service().vip()),
                IpText.of(key.real()),
                word(state),
                health.stale(),
                text(Optional.of(health.since()).filter(since -> !since.equals(Instant.EPOCH))),
                text(health.dampening().heldUntil()),
                health.dampening().flaps(),
                text(health.lastProbe()),
                health.lastLatency().map(HealthReport::millis).orElse(0.0),
                health.dampening().run(),
                reason,
                health.warning(),
                health.load().map(HealthReport::load).orElse(new LoadView("", "", "")),
                health.history().entries().stream().map(HealthReport::entry).toList());
    }

    /** A probe that was asked for. */
    static ProbeView view(String service, RealKey key, Probe probe, Verdict verdict, List<ProbeView.StepView> steps) {
        return new ProbeView(
                service,
                IpText.of(key.service().vip()),
                IpText.of(key.real()),
                IpText.of(probe.destination().getAddress())
                        + (probe.destination().getPort() == 0
                                ? ""
                                : " port " + probe.destination().getPort()),
                word(verdict.outcome()),
                verdict.reason(),
                millis(verdict.latency()),
                verdict.notes().warning(),
                verdict.notes()
                        .load()
                        .map(reading -> reading.report().map(HealthReport::text).orElse(reading.problem()))
                        .orElse(""),
                steps);
    }

    static double millis(Duration duration) {
        return duration.toNanos() / NANOS_IN_MILLI;
    }

    private static LoadView load(Health.LastLoad load) {
        return new LoadView(
                load.report().map(HealthReport::text).orElse(""), load.at().toString(), load.problem());
    }

    /** {@code 0.75}, {@code 50% drain}, {@code 0.3 named_metrics.queue=5.0}. */
    private static String text(LoadReport report) {
        List<String> words = new ArrayList<>();
        report.utilization().ifPresent(value -> words.add(Double.toString(value)));
        report.share().ifPresent(value -> words.add(Math.round(value * PERCENT) + "%"));
        report.word().ifPresent(word -> words.add(word(word)));
        new TreeMap<>(report.metrics()).forEach((name, value) -> words.add(name + "=" + value));
        return String.join(" ", words);
    }

    private static EntryView entry(History.Entry entry) {
        return new EntryView(
                entry.first().toString(),
                entry.last().toString(),
                entry.count(),
                word(entry.outcome()),
                entry.reason(),
                word(entry.state()));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String text(Optional<Instant> time) {
        return time.map(Instant::toString).orElse("");
    }
}
