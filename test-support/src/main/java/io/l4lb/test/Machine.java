// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.l4lb.test.internal.jnr.BpfProbe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What this machine can do, and commands run on it. */
public final class Machine {
    private static final int PATIENCE_SECONDS = 60;

    private Machine() {}

    /** Skips the test unless maps can be created here. */
    public static void needBpf() {
        String problem = BpfProbe.problem().orElse("");
        need("bpf", problem.isEmpty(), problem);
    }

    /** Skips the test unless network namespaces can be made here. */
    public static void needNetworkNamespaces() {
        need("netns", NamespaceProbe.PROBLEM.isEmpty(), NamespaceProbe.PROBLEM);
    }

    /** Skips the test unless the kernel's IPVS is there; lab/vm/tests runs it where it is. */
    public static void needIpvs() {
        need("ipvs", Files.exists(Path.of("/proc/net/ip_vs")), "the kernel has no module ip_vs");
    }

    /** Whether a network namespace can be made, tried once. */
    private static final class NamespaceProbe {
        /** Empty if it can. */
        static final String PROBLEM = problem();

        private static String problem() {
            String name = "l4t" + ProcessHandle.current().pid() + "-probe";
            try {
                Outcome made = attempt("", "ip", "netns", "add", name);
                succeeds("ip", "netns", "del", name);
                return made.exit() == 0
                        ? ""
                        : "ip netns add failed: " + made.errors().trim();
            } catch (IllegalStateException e) {
                return "there is no ip(8): " + e.getCause();
            }
        }
    }

    /**
     * Skips the test where the machine lacks something; fails it where {@code -Dl4lb.require}, a list with commas, names
     * that.
     *
     * @param reason shown if it is not available
     */
    public static void need(String capability, boolean available, String reason) {
        if (available) {
            return;
        }
        List<String> required =
                Arrays.asList(System.getProperty("l4lb.require", "").split(",", -1));
        if (required.contains(capability)) {
            fail(capability + " is required: " + reason);
        }
        abort(capability + ": " + reason);
    }

    /**
     * Runs a command to its end.
     *
     * @return what it wrote to its standard output
     * @throws IllegalStateException with what it wrote, if it fails
     */
    public static String run(String... command) {
        return runWithInput("", command);
    }

    /** As {@link #run}, with something to read on its standard input. */
    public static String runWithInput(String input, String... command) {
        Outcome outcome = attempt(input, command);
        if (outcome.exit() != 0) {
            throw new IllegalStateException(
                    String.join(" ", command) + " failed: " + outcome.output() + outcome.errors());
        }
        return outcome.output();
    }

    /** Whether a command can be started and ends well. */
    public static boolean succeeds(String... command) {
        try {
            return attempt("", command).exit() == 0;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /**
     * Runs a command to its end, whatever that is.
     *
     * @throws IllegalStateException if it cannot be started, or does not end within a minute
     */
    public static Outcome attempt(String input, String... command) {
        try {
            Path errors = Files.createTempFile("l4lb-errors", "");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .start();
                return end(process, input, command, errors);
            } finally {
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new IllegalStateException(String.join(" ", command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(String.join(" ", command), e);
        }
    }

    private static Outcome end(Process process, String input, String[] command, Path errors)
            throws IOException, InterruptedException {
        try {
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(String.join(" ", command) + " does not end: " + output);
            }
            return new Outcome(process.exitValue(), output, Files.readString(errors));
        } finally {
            process.destroyForcibly();
        }
    }
}
