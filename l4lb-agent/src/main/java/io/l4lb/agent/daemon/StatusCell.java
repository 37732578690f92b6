// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.agent.status.StatusView.DataplaneView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The latest status: written by the reconcile thread after each pass, read by any. */
final class StatusCell implements Consumer<ReconcileLoop.Pass>, Supplier<StatusView> {
    private final String version;
    private final String since;
    private final Supplier<BgpView> bgp;
    private final List<String> notes;
    private volatile List<String> configuration = List.of();
    private volatile StatusView latest;

    /**
     * A status without a pass.
     *
     * @param notes on the configuration, that hold as long as the agent runs
     */
    StatusCell(String version, Instant since, Dataplane.Info dataplane, Supplier<BgpView> bgp, List<String> notes) {
        this.version = version;
        this.since = since.toString();
        this.bgp = bgp;
        this.notes = List.copyOf(notes);
        this.latest =
                new StatusView("starting", version, this.since, view(dataplane), bgp.get(), notes, Map.of(), List.of());
    }

    @Override
    public void accept(ReconcileLoop.Pass pass) {
        List<String> problems = new ArrayList<>(notes);
        problems.addAll(pass.dataplane().info().notes());
        problems.addAll(configuration);
        boolean degraded = !configuration.isEmpty();
        if (!pass.problem().isEmpty()) {
            degraded = true;
            problems.add(pass.problem());
        }
        List<ServiceView> services = latest.services();
        Map<String, Long> verdicts = latest.verdicts();
        try {
            verdicts = pass.dataplane().verdicts();
            Optional<StatusReport> report = pass.outcome().map(outcome -> new StatusReport(outcome, pass.dataplane()));
            services = report.map(StatusReport::services).orElse(services);
            List<String> found = report.map(StatusReport::problems).orElse(List.of());
            problems.addAll(found);
            degraded |= !found.isEmpty();
        } catch (DataplaneException e) {
            degraded = true;
            problems.add(String.valueOf(e.getMessage()));
        }
        latest = new StatusView(
                degraded ? "degraded" : "running",
                version,
                since,
                view(pass.dataplane().info()),
                bgp.get(),
                problems,
                verdicts,
                services);
    }

    /** Says what was wrong with the files when they were last read; shown from the next pass on. */
    void configuration(List<String> problems) {
        configuration = List.copyOf(problems);
    }

    /** Says that the agent is about to end. */
    void stopping() {
        StatusView last = latest;
        latest = new StatusView(
                "stopping",
                last.version(),
                last.since(),
                last.dataplane(),
                last.bgp(),
                last.problems(),
                last.verdicts(),
                last.services());
    }

    @Override
    public StatusView get() {
        return latest;
    }

    private static DataplaneView view(Dataplane.Info info) {
        return new DataplaneView(info.type(), info.interfaceName(), info.mode(), info.adopted());
    }
}
