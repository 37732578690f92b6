// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.check.ExecCheck;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command, run on a thread of its own, since starting a process and reading what it says both block. When the deadline passes it is
 * killed, and with it all that descend from it.
 */
final class CommandPart implements Runnable {
    private static final int OUTPUT_LIMIT = 4096;
    private static final int LINE_LIMIT = 200;
    private static final long LOOK_MILLIS = 20;
    /** From the JDK: 128 and the signal's number. */
    private static final int SIGNALLED = 128;

    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    private final ProbeRun run;
    private final ExecCheck check;
    private final Commands commands;
    // Of the command's thread and the loop.
    private volatile boolean over;
    private volatile @Nullable Process process;

    CommandPart(ProbeRun run, ExecCheck check, Commands commands) {
        this.run = run;
        this.check = check;
        this.commands = commands;
    }

    @Override
    public void run() {
        run.onTimeout(() -> run.giveUp("too many commands are running: it did not start within "
                + run.probe().timeoutText()));
        run.holds(this::end);
        try {
            commands.execute(this::execute);
        } catch (RejectedExecutionException e) {
            run.giveUp("too many commands are waiting to be run");
        }
    }

    /** On the loop, at the end of the run. */
    private void end(Runnable closed) {
        over = true;
        Process started = process;
        if (started != null && started.isAlive()) {
            kill(started);
        }
        closed.run();
    }

    private static void kill(Process started) {
        started.descendants().forEach(ProcessHandle::destroyForcibly);
        started.destroyForcibly();
    }

    /** On a thread of the commands. */
    private void execute() {
        if (over) {
            return;
        }
        Process started;
        try {
            started = builder().start();
        } catch (IOException e) {
            onLoop(() -> run.giveUp("cannot run " + check.command().get(0) + ": " + words(e)));
            return;
        }
        process = started;
        onLoop(() -> {
            run.note("process " + started.pid() + " started");
            long since = System.nanoTime();
            run.onTimeout(() -> outOfTime(System.nanoTime() - since));
        });
        if (over) {
            kill(started); // the deadline passed while it was started
        }
        await(started);
    }

    /** One that had to wait for its turn has not had the time that it was promised. */
    private void outOfTime(long nanos) {
        if (nanos < run.probe().timeout().toNanos() / 2) {
            run.giveUp("too many commands are running: it started too late");
        } else {
            run.fail("still running after " + run.probe().timeoutText());
        }
    }

    private void await(Process started) {
        try {
            finish(started.pid(), output(started), started.waitFor());
        } catch (IOException e) {
            kill(started);
            onLoop(() -> run.giveUp("cannot read what " + check.command().get(0) + " says: " + e.getMessage()));
        } catch (InterruptedException e) {
            kill(started);
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What it says first, read until it ends. Never waits for more: a child that it leaves behind may hold the pipe open for ever, while
     * of one that has ended the JDK has read all that there was.
     */
    private static String output(Process started) throws IOException, InterruptedException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        byte[] piece = new byte[OUTPUT_LIMIT];
        try (InputStream output = started.getInputStream()) {
            boolean ended;
            do {
                ended = started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                while (output.available() > 0) {
                    int length = output.read(piece);
                    said.write(piece, 0, Math.max(0, Math.min(length, OUTPUT_LIMIT - said.size())));
                }
            } while (!ended);
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private void finish(long pid, String said, int status) {
        String line = said.lines().map(String::strip).findFirst().orElse("");
        String shown = line.length() > LINE_LIMIT ? line.substring(0, LINE_LIMIT) + "..." : line;
        onLoop(() -> {
            run.note("process " + pid + " ended: " + status);
            if (status == 0) {
                run.succeed(shown.isEmpty() ? "exit status 0" : shown);
            } else {
                String end = status == SIGNALLED + SIGKILL || status == SIGNALLED + SIGTERM
                        ? "ended by signal " + (status - SIGNALLED)
                        : "exit status " + status;
                run.fail(shown.isEmpty() ? end : end + ": " + shown);
            }
        });
    }

    private void onLoop(Runnable task) {
        run.loop().execute(task);
    }

    private ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(check.command())
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        String path = environment.getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        environment.clear();
        Probe probe = run.probe();
        environment.put("PATH", path);
        environment.put("L4LB_REAL", probe.route().real().getHostAddress());
        environment.put("L4LB_ADDRESS", probe.destination().getAddress().getHostAddress());
        environment.put("L4LB_PORT", Integer.toString(probe.destination().getPort()));
        environment.put("L4LB_MARK", Integer.toUnsignedString(probe.route().mark()));
        return builder;
    }

    /** The JDK writes {@code Cannot run program "/x": error=2, No such file or directory}. */
    private static String words(IOException e) {
        String message = String.valueOf(e.getMessage());
        int comma = message.lastIndexOf(", ");
        return comma < 0 ? message : message.substring(comma + 2);
    }
}
