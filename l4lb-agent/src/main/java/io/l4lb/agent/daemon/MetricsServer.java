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
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Prometheus metrics on loopback, at {@code /metrics}: made from the latest status and counters when they are asked for. */
final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final HttpServer server;
    private final Supplier<StatusView> status;
    private final Supplier<StatsView> stats;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private MetricsServer(HttpServer server, Supplier<StatusView> status, Supplier<StatsView> stats) {
        this.server = server;
        this.status = status;
        this.stats = stats;
    }

    /**
     * Starts it.
     *
     * @param listen address literal and port, as the configuration has it
     */
    static MetricsServer start(String listen, Supplier<StatusView> status, Supplier<StatsView> stats) {
        try {
            URI address = URI.create("http://" + listen);
            HttpServer http = HttpServer.create(new InetSocketAddress(address.getHost(), address.getPort()), BACKLOG);
            MetricsServer metrics = new MetricsServer(http, status, stats);
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
        MultiGauge.builder(name).description(help).register(registry).register(rows, true);
    }

    @Override
    public void close() {
        server.stop(0);
        registry.close();
    }
}
