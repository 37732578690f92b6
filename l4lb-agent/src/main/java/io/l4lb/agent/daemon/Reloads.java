// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.ConfigDiff;
import io.l4lb.agent.config.KeyLines;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ReloadView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the configuration files again, to apply them or to say what that would change: one request after the other, on a
 * thread of its own. Public methods may be called from any thread.
 */
final class Reloads implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Reloads.class.getName());

    private final Path file;
    private final ReconcileLoop loop;
    private final StatusCell status;
    private final Function<Config, LoadResult> loader;
    private final Function<Config, Tables> tables;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "reload");
        made.setDaemon(true);
        return made;
    });

    /**
     * The reloads.
     *
     * @param file the main configuration file
     * @param loader reads the files, given what is running
     * @param tables as the dataplane of a configuration has them
     */
    Reloads(
            Path file,
            ReconcileLoop loop,
            StatusCell status,
            Function<Config, LoadResult> loader,
            Function<Config, Tables> tables) {
        this.file = file;
        this.loop = loop;
        this.status = status;
        this.loader = loader;
        this.tables = tables;
    }

    /**
     * What the files say.
     *
     * @param problems of the files, in words
     * @param refused why what they say cannot take the place of what runs, likewise; empty: it can
     */
    private record Reading(Config running, LoadResult loaded, List<String> problems, List<String> refused) {
        Config next() {
            return loaded.config().orElse(running);
        }

        List<String> all() {
            List<String> all = new ArrayList<>(problems);
            all.addAll(refused);
            return all;
        }
    }

    CompletableFuture<ReloadView> reload() {
        return run("reload", this::apply);
    }

    /** For a caller that takes no answer: the log has it. */
    void reloadAndLog() {
        var unused = reload();
    }

    /**
     * What {@link #reload} would change. The tables are planned on this thread, not on that of the loop, which is only asked
     * for its latest outcome and for obstacles; nothing is applied, and no state changes.
     */
    CompletableFuture<ConfigDiffView> diff() {
        return run("config diff", this::compare);
    }

    private <T> CompletableFuture<T> run(String what, Supplier<T> work) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                answer.complete(work.get());
            } catch (CompletionException e) {
                answer.completeExceptionally(e.getCause());
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.ERROR, what + " failed", e);
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    private ReloadView apply() {
        Reading reading = read();
        List<String> problems = reading.all();
        Config next = reading.next();
        LOG.log(System.Logger.Level.INFO, "reload: {0} problems", problems.size());
        status.configuration(problems, reading.loaded().warnings());
        if (!reading.refused().isEmpty() || next.equals(reading.running())) {
            loop.wake();
            return new ReloadView(problems.isEmpty(), problems, List.of());
        }
        List<String> changed = ConfigDiff.changedServices(reading.running(), next);
        LOG.log(System.Logger.Level.INFO, "reload: applying, services that change: {0}", changed);
        loop.want(next).join();
        return new ReloadView(true, problems, changed);
    }

    private ConfigDiffView compare() {
        Reading reading = read();
        Config running = reading.running();
        Config next = reading.next();
        List<String> changed = ConfigDiff.changedServices(running, next);
        Outcome latest = loop.ask(Function.identity()).join();
        TableChanges moves = new TableChanges(tables.apply(running), tables.apply(next), latest.reals());
        boolean taken = reading.problems().isEmpty() || !next.equals(running);
        return new ConfigDiffView(
                taken && reading.refused().isEmpty(),
                reading.all(),
                ServiceChanges.of(running, next, changed),
                moves.of(running, next));
    }

    private Reading read() {
        Config running = loop.config();
        LoadResult loaded = loader.apply(running);
        List<String> problems =
                loaded.problems().stream().map(Problem::toString).toList();
        Config next = loaded.config().orElse(running);
        return new Reading(running, loaded, problems, refused(running, next, loaded.lines()));
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
    public void close() {
        thread.shutdownNow();
    }
}
