// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent;

import io.l4lb.agent.cli.Foreground;
import io.l4lb.agent.cli.L4lbCommand;
import io.l4lb.agent.cli.Program;
import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.daemon.AgentDaemon;
import io.l4lb.agent.daemon.Signals;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

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
                Main::agent,
                file -> ConfigLoader.load(file, Optional.empty()),
                System.getenv(),
                Clock.systemUTC(),
                new Foreground(new FileOutputStream(FileDescriptor.out), Main::interrupt));
        System.exit(L4lbCommand.run(program, arguments));
    }

    private static String version() {
        return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("built from classes");
    }

    /** A second Ctrl-C ends the process, whatever it is at. */
    private static CompletableFuture<Void> interrupt() {
        CompletableFuture<Void> pressed = new CompletableFuture<>();
        Signals.handle("INT", () -> {
            if (!pressed.complete(null)) {
                Runtime.getRuntime().halt(INTERRUPTED);
            }
        });
        return pressed;
    }

    /** Runs until SIGTERM or SIGINT; that path ends in the shutdown hook, and never returns. */
    private static int agent(Path file) {
        LoadResult loaded = ConfigLoader.load(file, Optional.empty());
        loaded.problems().forEach(System.err::println);
        if (loaded.config().isEmpty()) {
            return 1;
        }
        AgentDaemon daemon;
        try {
            daemon = AgentDaemon.start(file, loaded, version());
        } catch (RuntimeException e) {
            System.err.println("l4lb agent: " + e.getMessage());
            return 1;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(daemon::stop, "shutdown"));
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }
}
