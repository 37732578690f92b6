// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.ConfigDiff;
import io.l4lb.agent.config.KeyLines;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.ControlApi;
import io.l4lb.agent.control.FlowsRequest;
import io.l4lb.agent.control.Rows;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatusView;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** What the control socket answers. Reloads are done one after the other, on a thread of their own. */
final class AgentControl implements ControlApi, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AgentControl.class.getName());

    private final Path file;
    private final ReconcileLoop loop;
    private final StatusCell status;
    private final Function<Config, LoadResult> loader;
    private final Explainer explainer;
    private final Observation observation;
    private final ExecutorService reloads = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "reload");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * The answers.
     *
     * @param file the main configuration file
     * @param loader reads the files, given what is running
     */
    AgentControl(
            Path file,
            ReconcileLoop loop,
            StatusCell status,
            Function<Config, LoadResult> loader,
            Explainer explainer,
            Observation observation) {
        this.file = file;
        this.loop = loop;
        this.status = status;
        this.loader = loader;
        this.explainer = explainer;
        this.observation = observation;
    }

    @Override
    public StatusView status() {
        return status.get();
    }

    @Override
    public CompletableFuture<ReloadView> reload() {
        CompletableFuture<ReloadView> answer = new CompletableFuture<>();
        reloads.execute(() -> reload(answer));
        return answer;
    }

    /** For a caller that takes no answer: the log has it. */
    void reloadAndLog() {
        reloads.execute(() -> reload(new CompletableFuture<>()));
    }

    private void reload(CompletableFuture<ReloadView> answer) {
        try {
            load(answer);
        } catch (CompletionException e) {
            answer.completeExceptionally(e.getCause());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "reload failed", e);
            answer.completeExceptionally(e);
        }
    }

    private void load(CompletableFuture<ReloadView> answer) {
        Config running = loop.config();
        LoadResult loaded = loader.apply(running);
        Config next = loaded.config().orElse(running);
        List<String> problems = new ArrayList<>();
        loaded.problems().stream().map(Problem::toString).forEach(problems::add);
        List<String> refused = refused(running, next, loaded.lines());
        problems.addAll(refused);
        LOG.log(System.Logger.Level.INFO, "reload: {0} problems", problems.size());
        status.configuration(problems, loaded.warnings());
        if (!refused.isEmpty() || next.equals(running)) {
            loop.wake();
            answer.complete(new ReloadView(problems.isEmpty(), problems, List.of()));
            return;
        }
        List<String> changed = ConfigDiff.changedServices(running, next);
        LOG.log(System.Logger.Level.INFO, "reload: applying, services that change: {0}", changed);
        loop.want(next).join();
        answer.complete(new ReloadView(true, problems, changed));
    }

    /** Why a configuration without mistakes cannot take the place of the one that runs; empty: it can. */
    private List<String> refused(Config running, Config next, KeyLines lines) {
        List<String> refused = new ArrayList<>();
        for (String key : ConfigDiff.needsRestart(running, next)) {
            String message = "a change needs a restart of the agent, which loses no packet";
            refused.add(new Problem(file, lines.of(key), key, message).toString());
        }
        if (refused.isEmpty() && !next.equals(running)) {
            Optional<String> obstacle = loop.obstacle(next).join();
            if (!obstacle.equals(loop.obstacle(running).join())) {
                obstacle.ifPresent(message -> refused.add(
                        new Problem(file, lines.of(AgentDaemon.NEXT_HOP), AgentDaemon.NEXT_HOP, message).toString()));
            }
        }
        return refused;
    }

    @Override
    public CompletableFuture<ExplainView> explain(
            InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn) {
        return explain(new AskedPacket(source, destination, protocol, syn).frame());
    }

    @Override
    public CompletableFuture<ExplainView> explain(byte[] frame) {
        return loop.ask(outcome -> explainer.explain(outcome, frame));
    }

    @Override
    public CompletableFuture<StatsView> stats() {
        return observation.stats();
    }

    @Override
    public CompletableFuture<Rows> flows(FlowsRequest request) {
        return CompletableFuture.completedFuture(observation.flows(request));
    }

    @Override
    public CompletableFuture<FlowCountsView> countFlows(FlowsRequest request) {
        return observation.countFlows(request);
    }

    @Override
    public CompletableFuture<Rows> capture(CaptureRequest request) {
        return CompletableFuture.completedFuture(observation.capture(request));
    }

    @Override
    public void close() {
        reloads.shutdownNow();
    }
}
