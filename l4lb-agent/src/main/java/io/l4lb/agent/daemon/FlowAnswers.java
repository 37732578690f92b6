// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.RowSink;
import io.l4lb.agent.control.Rows;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.FlowView;
import io.l4lb.agent.status.FlowsEndView;
import io.l4lb.agent.status.StatsView.FlowTableView;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Questions about the flow table. A million entries are much to read: it is done on a thread of its own, named {@code
 * flows}, one answer after the other.
 */
final class FlowAnswers implements AutoCloseable {
    private final ReconcileLoop loop;
    private final Dataplane dataplane;
    private final ExecutorService reading = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "flows");
        thread.setDaemon(true);
        return thread;
    });

    FlowAnswers(ReconcileLoop loop, Dataplane dataplane) {
        this.loop = loop;
        this.dataplane = dataplane;
    }

    /** The entries that fit. */
    Rows flows(FlowsRequest request) {
        ServiceNames names = names(request);
        return sink -> reading.execute(() -> {
            try {
                send(request, names, sink);
            } catch (RuntimeException e) {
                sink.fail(LoopAnswers.message(e));
            }
        });
    }

    private ServiceNames names(FlowsRequest request) {
        ServiceNames names = new ServiceNames(loop.config());
        names.keys(request.selection().service()); // refuses those that there are none of
        return names;
    }

    private void send(FlowsRequest request, ServiceNames names, RowSink sink) {
        FlowFilter filter = new FlowFilter(request, names);
        long[] shown = {0};
        long[] matching = {0};
        try (FlowTable table = open()) {
            FlowTable.Reading found = table.read(flow -> {
                if (!filter.test(flow)) {
                    return sink.isOpen();
                }
                matching[0]++;
                if (request.limit() > 0 && shown[0] >= request.limit()) {
                    return sink.isOpen();
                }
                shown[0]++;
                return sink.put(view(flow, names));
            });
            var unused = sink.put(new FlowsEndView(
                    new FlowsEndView.End(shown[0], matching[0], found.entries(), found.gone(), table.capacity())));
        }
        sink.end();
    }

    private static FlowView view(RememberedFlow flow, ServiceNames names) {
        return new FlowView(
                IpText.of(flow.client().address()),
                flow.client().port(),
                names.of(flow.service()),
                IpText.of(flow.service().vip()),
                FlowFilter.protocol(flow.vip().protocol()),
                flow.vip().port(),
                IpText.of(flow.real()),
                flow.state().text(),
                flow.idle().map(Duration::toSeconds).orElse(-1L),
                !flow.counts());
    }

    /** How many entries fit, by service and real; services in the order of their names. */
    CompletableFuture<FlowCountsView> count(FlowsRequest request) {
        ServiceNames names = names(request);
        return read(table -> {
            FlowFilter filter = new FlowFilter(request, names);
            Map<ServiceReal, long[]> counts = new HashMap<>();
            FlowTable.Reading found = table.read(flow -> {
                if (filter.test(flow)) {
                    ServiceReal real = new ServiceReal(names.of(flow.service()), flow.real());
                    counts.computeIfAbsent(real, unused -> new long[2])[flow.counts() ? 0 : 1]++;
                }
                return true;
            });
            List<FlowCountsView.Row> rows = new ArrayList<>();
            counts.forEach((real, count) ->
                    rows.add(new FlowCountsView.Row(real.service, IpText.of(real.address), count[0], count[1])));
            rows.sort(Comparator.comparing(FlowCountsView.Row::service).thenComparing(FlowCountsView.Row::real));
            return new FlowCountsView(rows, found.entries(), found.gone(), table.capacity());
        });
    }

    private record ServiceReal(String service, InetAddress address) {}

    /** How full the flow table is. */
    CompletableFuture<FlowTableView> fill() {
        return read(table -> {
            FlowTable.Fill fill = table.fill();
            return new FlowTableView(fill.entries(), fill.entries() - fill.counting(), table.capacity());
        });
    }

    private <T> CompletableFuture<T> read(Function<FlowTable, T> question) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (FlowTable table = open()) {
                        return question.apply(table);
                    }
                },
                reading);
    }

    private FlowTable open() {
        return LoopAnswers.await(loop.ask(outcome -> dataplane.flowTable()));
    }

    @Override
    public void close() {
        reading.shutdownNow();
    }
}
