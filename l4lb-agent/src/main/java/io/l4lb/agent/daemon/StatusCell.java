// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.Problem;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.agent.status.StatusView.DataplaneView;
import io.l4lb.agent.status.StatusView.NeighborView;
import io.l4lb.bgp.Prefix;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The latest status: written by the reconcile thread after each pass, read by any. */
final class StatusCell implements Consumer<ReconcileLoop.Pass>, Supplier<StatusView> {
    private static final System.Logger LOG = System.getLogger(StatusCell.class.getName());

    private final String version;
    private final String since;
    private final Supplier<BgpView> bgp;
    private final List<String> notes;
    private volatile List<String> configuration = List.of();
    private volatile List<String> warnings = List.of();
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
        this.latest = new StatusView(
                "starting", version, this.since, view(dataplane), bgp.get(), List.of(), Map.of(), List.of());
    }

    @Override
    public void accept(ReconcileLoop.Pass pass) {
        BgpView sessions = bgp.get();
        List<String> serious = new ArrayList<>(configuration);
        if (!pass.problem().isEmpty()) {
            serious.add(pass.problem());
        }
        serious.addAll(sessionsDown(sessions));
        List<ServiceView> services = latest.services();
        Map<String, Long> verdicts = latest.verdicts();
        try {
            verdicts = pass.dataplane().verdicts();
            Optional<StatusReport> report = pass.outcome()
                    .map(outcome -> new StatusReport(outcome, pass.dataplane(), vip -> heard(sessions, vip)));
            services = report.map(StatusReport::services).orElse(services);
            report.map(StatusReport::problems).ifPresent(serious::addAll);
        } catch (DataplaneException e) {
            serious.add(String.valueOf(e.getMessage()));
        }
        List<String> problems = new ArrayList<>(notes);
        problems.addAll(warnings);
        problems.addAll(pass.dataplane().info().notes());
        problems.addAll(serious);
        logNews(problems);
        latest = new StatusView(
                serious.isEmpty() ? "running" : "degraded",
                version,
                since,
                view(pass.dataplane().info()),
                sessions,
                problems,
                verdicts,
                services);
    }

    /** Whether a router was told; without any neighbor nobody is to be told. */
    private static boolean heard(BgpView sessions, InetAddress vip) {
        return sessions.neighbors().isEmpty()
                || sessions.neighbors().stream().anyMatch(neighbor -> neighbor.announced()
                        .contains(Prefix.host(vip).toString()));
    }

    private static List<String> sessionsDown(BgpView sessions) {
        List<String> down = new ArrayList<>();
        for (NeighborView neighbor : sessions.neighbors()) {
            if (!neighbor.state().equals("up")) {
                down.add("BGP session with " + neighbor.address() + ": " + neighbor.state()
                        + (neighbor.error().isEmpty() ? "" : ", " + neighbor.error()));
            }
        }
        if (!down.isEmpty() && sessions.process().contains("problem")) {
            down.add("BGP: " + sessions.process());
        }
        return down;
    }

    /** Problems come and go in the log as they do in the status. */
    private void logNews(List<String> problems) {
        List<String> before = latest.problems();
        problems.stream()
                .filter(problem -> !before.contains(problem))
                .forEach(problem -> LOG.log(System.Logger.Level.WARNING, "{0}", problem));
        before.stream()
                .filter(problem -> !problems.contains(problem))
                .forEach(problem -> LOG.log(System.Logger.Level.INFO, "no longer: {0}", problem));
    }

    /**
     * Says what was wrong with the files when they were last read; shown from the next pass on.
     *
     * @param problems that leave the agent degraded
     * @param allowed that do not
     */
    void configuration(List<String> problems, List<Problem> allowed) {
        configuration = List.copyOf(problems);
        warnings = allowed.stream().map(Problem::toString).toList();
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
