// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.ProcessStatus;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that there is one ExaBGP: adopts the one that answers, starts one where there is none, ends one that does
 * not answer, and waits longer each time before it starts again. The process is in a session of its own and outlives the
 * agent. Used by one thread.
 */
final class ExaBgpProcess {
    /** How long a living process may take to answer. */
    static final long PATIENCE = Duration.ofSeconds(20).toNanos();
    /** Having lived so long, an ExaBGP that ends is started again at once. */
    static final long STABLE = Duration.ofSeconds(60).toNanos();

    /** How long one that owes an answer may stay silent after that was noticed. */
    static final long SILENCE = Duration.ofSeconds(5).toNanos();

    /** When to try again to remember one that runs. */
    static final long REMEMBER_AGAIN = Duration.ofSeconds(5).toNanos();

    private static final long NEVER = Long.MAX_VALUE;
    private static final long LOOK_AGAIN = Duration.ofMillis(200).toNanos();
    /** One that does not answer hardly heeds SIGTERM. */
    private static final long MUTE_PATIENCE = Duration.ofSeconds(2).toNanos();

    private static final int MAX_BACK_OFF_SECONDS = 60;

    private final ExaBgpFiles files;
    private final ExaBgpSettings settings;
    private @Nullable ProcessIdentity current;
    private @Nullable Process child;
    private boolean looked;
    private boolean connected;
    private long since;
    private long endAt = NEVER;
    private boolean ending;
    private boolean ended;
    private long nextStart = Long.MIN_VALUE;
    private int failures;
    private int starts;
    private @Nullable String problem;
    private @Nullable String unremembered;
    private long rememberAt = NEVER;

    ExaBgpProcess(ExaBgpFiles files) {
        this.files = files;
        this.settings = files.exabgp();
    }

    ProcessStatus status() {
        ProcessIdentity process = current;
        ProcessStatus.State state = connected
                ? ProcessStatus.State.CONNECTED
                : process == null ? ProcessStatus.State.STOPPED : ProcessStatus.State.STARTING;
        return new ProcessStatus(
                state, process == null ? 0 : process.pid(), starts, unremembered == null ? problem : unremembered);
    }

    void problem(String text) {
        problem = text;
    }

    /** Its bridge greets. Returns whether it has to read its configuration again. */
    boolean adopted(long now, ProcessIdentity process) {
        if (!process.equals(current)) {
            current = process;
            child = null;
            since = now;
            endAt = now + PATIENCE;
        }
        looked = true;
        remember(now, process);
        return settings.run() && starts == 0 && rewrite();
    }

    /** Who comes later has to find it even if it does not answer. What is not ours would take the place of what is. */
    private void remember(long now, ProcessIdentity process) {
        unremembered = null;
        rememberAt = NEVER;
        if (!settings.run() || !process.runs(files.configuration())) {
            return;
        }
        try {
            files.remember(process);
        } catch (BgpException e) {
            unremembered = e.getMessage();
            rememberAt = now + REMEMBER_AGAIN;
        }
    }

    private boolean rewrite() {
        try {
            return files.write();
        } catch (BgpException e) {
            problem = e.getMessage(); // a route to a neighbor may be missing now; what runs goes on as it is
            return false;
        }
    }

    /** It says something, or does not owe anything. */
    void answers(long now) {
        connected = true;
        endAt = NEVER;
        ending = false;
        if (current != null && now >= rememberAt) {
            remember(now, current);
        }
    }

    /** It owes an answer and says nothing; told at every pass while that is so. */
    void silent(long now) {
        connected = false;
        endAt = Math.min(endAt, now + SILENCE);
        if (!ending) {
            problem = RouteSession.SILENT;
        }
    }

    void disconnected(long now) {
        if (connected) {
            endAt = now + PATIENCE;
        }
        connected = false;
    }

    /** When {@link #tend} has something to do about one that does not answer. */
    long deadline(long now) {
        if (current == null || !settings.run() || endAt == NEVER) {
            return NEVER;
        }
        return now < endAt ? endAt : now + LOOK_AGAIN;
    }

    /** Whether one has ended since the last call. */
    boolean takeEnded() {
        boolean result = ended;
        ended = false;
        return result;
    }

    /** Whether it is certain that no ExaBGP of ours lives. */
    boolean gone() {
        return looked && current == null && settings.run();
    }

    /** Nobody answers: does what is due. Throws BgpException if starting fails; it is due again later. */
    void tend(long now) {
        if (!looked) {
            looked = true;
            endAt = now + PATIENCE;
            since = now;
            current = settings.run() ? files.running().stream().findFirst().orElse(null) : null;
        }
        ProcessIdentity process = current;
        if (process != null && !process.alive()) {
            buried(now);
        } else if (process != null && settings.run() && now >= endAt) {
            end(process, now);
        }
        if (current == null && settings.run() && now >= nextStart) {
            start(now);
        }
    }

    /** Whoever owns the socket says what answers there, so that is looked at before it is ended. */
    private void end(ProcessIdentity process, long now) {
        if (!process.runs(files.configuration())) {
            problem = "process " + process.pid() + " does not answer, and is not the ExaBGP of this configuration";
            return;
        }
        problem = "does not answer and is ended";
        if (!ending) {
            process.end(false);
        } else if (now - endAt >= MUTE_PATIENCE) {
            process.end(true);
        }
        ending = true;
    }

    /** Asks it to end and waits a little, then ends it; the sessions' ends withdraw what is still announced. */
    void stop() throws InterruptedException {
        ProcessIdentity process = current;
        if (!settings.run() || process == null || !process.runs(files.configuration())) {
            return;
        }
        process.endSoon();
        current = null;
        connected = false;
    }

    private void buried(long now) {
        if (now - since >= STABLE) {
            failures = 0;
        }
        Process ours = child;
        if (ours != null) {
            // It is dead, but Java may not have collected its status yet.
            ours.onExit().completeOnTimeout(ours, 1, TimeUnit.SECONDS).join();
        }
        unremembered = null;
        rememberAt = NEVER;
        String how = ours != null && !ours.isAlive() ? "ended with status " + ours.exitValue() : "ended";
        problem = (ending ? "did not answer, " : "") + how + "; its last words: " + files.lastLogLine();
        current = null;
        child = null;
        endAt = NEVER;
        ending = false;
        ended = true;
        backOff(now);
    }

    private void backOff(long now) {
        int seconds = failures == 0 ? 0 : Math.min(MAX_BACK_OFF_SECONDS, 1 << Math.min(failures - 1, 10));
        nextStart = now + TimeUnit.SECONDS.toNanos(seconds);
        failures++;
    }

    private void start(long now) {
        try {
            files.write();
            files.boundLog();
            Process process = builder(files.user()).start();
            starts++;
            since = now;
            endAt = now + PATIENCE;
            child = process;
            Optional<ProcessIdentity> identity = ProcessIdentity.of(process.pid());
            current = identity.orElse(null);
            if (identity.isPresent()) {
                rememberOrEnd(process, identity.get());
            } else {
                buried(now); // dead already
            }
        } catch (IOException | BgpException e) {
            backOff(now);
            throw e instanceof BgpException known ? known : new BgpException("starting ExaBGP", e);
        }
    }

    /** One that nobody would find again must not live to announce anything. */
    private void rememberOrEnd(Process process, ProcessIdentity identity) {
        try {
            files.remember(identity);
        } catch (BgpException e) {
            identity.end(true);
            process.onExit().completeOnTimeout(process, 1, TimeUnit.SECONDS).join();
            current = null;
            child = null;
            endAt = NEVER;
            throw e;
        }
    }

    private ProcessBuilder builder(Optional<UserPrincipal> user) {
        List<String> command = new ArrayList<>(settings.commandPrefix());
        // setsid becomes the program: the number of the process stays.
        command.add("setsid");
        command.add(settings.program().toString());
        command.add("--env");
        command.add(files.environment().toString());
        command.add(files.configuration().toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(new File("/"))
                .redirectInput(Redirect.from(new File("/dev/null")))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(files.log().toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("exabgp"));
        environment.put("exabgp_daemon_user", user.map(UserPrincipal::getName).orElse(System.getProperty("user.name")));
        // A pipe for the log would stop ExaBGP when it fills; a file does not. At this level it says only what is
        // wrong.
        environment.put("exabgp_log_destination", "stdout");
        environment.put("exabgp_log_level", "WARNING");
        environment.put("exabgp_api_cli", "false");
        environment.put("exabgp_api_ack", "true");
        environment.put("exabgp_api_version", "4");
        // A bridge that dies while an event is written to it makes ExaBGP give up the sessions for good. With this it
        // ends
        // instead, and can be started again.
        environment.put("exabgp_api_terminate", "true");
        environment.put("PYTHONUNBUFFERED", "1");
        return builder;
    }
}
