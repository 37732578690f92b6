// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent;

import io.l4lb.agent.cli.AgentProcess;
import io.l4lb.agent.cli.Foreground;
import io.l4lb.agent.cli.L4lbCommand;
import io.l4lb.agent.cli.Program;
import io.l4lb.agent.cli.StandardOutput;
import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.daemon.AgentDaemon;
import io.l4lb.agent.daemon.Release;
import io.l4lb.agent.daemon.ReloadSignal;
import io.l4lb.agent.daemon.Signals;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The {@code l4lb} program. */
public final class Main {
    private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

    /** Exit code of what SIGINT has ended, as shells say it. */
    private static final int INTERRUPTED = 130;

    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        System.setProperty("java.util.logging.manager", LastingLogManager.class.getName());
        if (System.getProperty(LOG_FORMAT) == null) {
            System.setProperty(LOG_FORMAT, "%1$tFT%1$tT.%1$tL%1$tz %4$s %5$s%6$s%n");
        }
        Program program = new Program(
                version(),
                new Agent(),
                file -> ConfigLoader.load(file, Optional.empty()),
                System.getenv(),
                Clock.systemUTC(),
                new Foreground(StandardOutput.ofProcess(), Main::interrupt));
        System.exit(L4lbCommand.run(program, arguments));
    }

    private static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("built from classes");
    }

    /** A second signal ends the process, whatever it is at. What it ignores, as under nohup(1), it goes on ignoring. */
    private static CompletableFuture<Void> interrupt() {
        CompletableFuture<Void> told = new CompletableFuture<>();
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.handle(signal, () -> {
                if (!told.complete(null)) {
                    Runtime.getRuntime().halt(INTERRUPTED);
                }
            });
        }
        return told;
    }

    /** In this process. */
    private static final class Agent implements AgentProcess {
        /** That path ends in the shutdown hook, and never returns. */
        @Override
        public int run(Path file) {
            ReloadSignal hup = ReloadSignal.take(); // one that comes while the agent starts must not end it
            LoadResult loaded = load(file);
            if (loaded.config().isEmpty()) {
                return 1;
            }
            AgentDaemon daemon;
            try {
                daemon = AgentDaemon.start(file, loaded, version(), hup);
            } catch (RuntimeException e) {
                return failed(e);
            }
            Runtime.getRuntime().addShutdownHook(new Thread(daemon::stop, "shutdown"));
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return 0;
        }

        @Override
        public int release(Path file, boolean dryRun, Consumer<String> told, Consumer<String> left) {
            LoadResult loaded = load(file);
            if (loaded.config().isEmpty()) {
                return 1;
            }
            try {
                new Release(loaded.config().get(), told, left).run(dryRun);
                return 0;
            } catch (RuntimeException e) {
                return failed(e);
            }
        }

        private static LoadResult load(Path file) {
            LoadResult loaded = ConfigLoader.load(file, Optional.empty());
            loaded.problems().forEach(System.err::println);
            return loaded;
        }

        private static int failed(RuntimeException failure) {
            String why = failure.getMessage();
            System.err.println("l4lb agent: " + (why == null ? "a mistake in l4lb, " + failure : why));
            return 1;
        }
    }
}
