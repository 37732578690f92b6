// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import com.sun.net.httpserver.HttpServer;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatsView.ServiceStatsView;
import io.l4lb.agent.status.StatsView.VerdictView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.healthcheck.ProbeStatistics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Prometheus metrics on loopback, at {@code /metrics}: made from the latest status and counters when they are asked for. */
final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final HttpServer server;
    private final Supplier<StatusView> status;
    private final Supplier<StatsView> stats;
    private final Supplier<ProbeStatistics> probes;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<String, MultiGauge> gauges = new HashMap<>();

    private MetricsServer(
            HttpServer server,
            Supplier<StatusView> status,
            Supplier<StatsView> stats,
            Supplier<ProbeStatistics> probes) {
        this.server = server;
        this.status = status;
        this.stats = stats;
        this.probes = probes;
    }

    /**
     * Starts it.
     *
     * @param listen address literal and port, as the configuration has it
     */
    static MetricsServer start(
            String listen, Supplier<StatusView> status, Supplier<StatsView> stats, Supplier<ProbeStatistics> probes) {
        try {
            URI address = URI.create("http://" + listen);
            HttpServer http = HttpServer.create(new InetSocketAddress(address.getHost(), address.getPort()), BACKLOG);
            MetricsServer metrics = new MetricsServer(http, status, stats, probes);
            http.createContext("/metrics", exchange -> {
                byte[] body = metrics.scrape().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            http.start();
            return metrics;
        } catch (IOException e) {
            throw new DataplaneException("cannot listen on metrics-listen " + listen + ": " + e.getMessage(), e);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    private synchronized String scrape() {
        StatusView latest = status.get();
        counters(stats.get());
        service(latest, "l4lb.service.announced", "1: its VIPs shall be announced", view -> view.announced() ? 1 : 0);
        service(
                latest,
                "l4lb.service.frozen",
                "1: more reals failed at once than is believed, and the last good set goes on",
                view -> view.frozen() ? 1 : 0);
        service(latest, "l4lb.service.healthy.reals", "reals that are up", ServiceView::healthy);
        real(
                latest,
                "l4lb.real.up",
                "1: new flows may go to it",
                view -> view.health().equals("up") ? 1 : 0);
        real(latest, "l4lb.real.slots", "slots of the lookup table that name it", RealView::slots);
        real(latest, "l4lb.real.packets", "packets forwarded to it", RealView::packets);
        real(latest, "l4lb.real.bytes", "bytes of these packets as they came in", RealView::bytes);
        probes(probes.get());
        gauge("l4lb.bgp.session.up", "1: the session is established", sessions(latest));
        return registry.scrape();
    }

    private void counters(StatsView latest) {
        List<Row<?>> packets = new ArrayList<>();
        List<Row<?>> bytes = new ArrayList<>();
        for (VerdictView verdict : latest.verdicts()) {
            packets.add(Row.of(Tags.of("verdict", verdict.verdict()), verdict.packets()));
            bytes.add(Row.of(Tags.of("verdict", verdict.verdict()), verdict.bytes()));
        }
        gauge("l4lb.verdict.packets", "packets by what the dataplane did with them and why", packets);
        gauge("l4lb.verdict.bytes", "bytes of these packets as they came in", bytes);
        List<Row<?>> notForwarded = new ArrayList<>();
        for (ServiceStatsView service : latest.services()) {
            service.notForwarded()
                    .forEach(verdict -> notForwarded.add(Row.of(
                            Tags.of("service", service.service(), "verdict", verdict.verdict()), verdict.packets())));
        }
        gauge("l4lb.service.not.forwarded.packets", "packets of a service that went to no real, and why", notForwarded);
        List<Row<?>> events = new ArrayList<>();
        latest.events().forEach(event -> events.add(Row.of(Tags.of("event", event.event()), event.count())));
        gauge("l4lb.events", "what else the dataplane counted: flows remembered, expired, over the limit", events);
    }

    private void probes(ProbeStatistics latest) {
        gauge("l4lb.health.targets", "reals by VIP that are probed", one(latest.targets()));
        gauge("l4lb.health.distinct.probes", "probes that differ: what is really sent", one(latest.probes()));
        gauge("l4lb.health.probes.in.flight", "probes that are under way", one(latest.inFlight()));
        gauge(
                "l4lb.health.probes",
                "probes since the start, by what came of them; inconclusive: they failed on this director",
                List.of(
                        Row.of(Tags.of("outcome", "success"), latest.verdicts().successes()),
                        Row.of(Tags.of("outcome", "failure"), latest.verdicts().failures()),
                        Row.of(
                                Tags.of("outcome", "inconclusive"),
                                latest.verdicts().inconclusive())));
        gauge(
                "l4lb.health.schedule.lag.seconds",
                "by how much probes start later than they should, over the last minute or so",
                List.of(
                        Row.of(Tags.of("quantile", "0.5"), seconds(latest.lag().median())),
                        Row.of(Tags.of("quantile", "0.99"), seconds(latest.lag().p99())),
                        Row.of(Tags.of("quantile", "1"), seconds(latest.lag().most()))));
    }

    private static List<Row<?>> one(int value) {
        return List.of(Row.of(Tags.empty(), value));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static List<Row<?>> sessions(StatusView latest) {
        List<Row<?>> rows = new ArrayList<>();
        latest.bgp()
                .neighbors()
                .forEach(neighbor -> rows.add(Row.of(
                        Tags.of("neighbor", neighbor.address()),
                        neighbor.state().equals("up") ? 1 : 0)));
        return rows;
    }

    private void service(StatusView latest, String name, String help, ToDoubleFunction<ServiceView> value) {
        List<Row<?>> rows = new ArrayList<>();
        latest.services().forEach(view -> rows.add(Row.of(Tags.of("service", view.name()), value.applyAsDouble(view))));
        gauge(name, help, rows);
    }

    private void real(StatusView latest, String name, String help, ToDoubleFunction<RealView> value) {
        List<Row<?>> rows = new ArrayList<>();
        latest.services().stream()
                .flatMap(view -> view.reals().stream())
                .forEach(view -> rows.add(
                        Row.of(Tags.of("service", view.service(), "real", view.address()), value.applyAsDouble(view))));
        gauge(name, help, rows);
    }

    private void gauge(String name, String help, List<Row<?>> rows) {
        // One that is made anew knows no rows of before, and leaves their values and what is gone as they were.
        gauges.computeIfAbsent(
                        name,
                        unused -> MultiGauge.builder(name).description(help).register(registry))
                .register(rows, true);
    }

    @Override
    public void close() {
        server.stop(0);
        registry.close();
    }
}
