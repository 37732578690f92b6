// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Other people's programs, run to their end in the calling thread's network namespace. */
final class Command {
    /** Where to get them. */
    private static final Map<String, String> PACKAGES = Map.of("ip", "iproute2", "modprobe", "kmod");

    private static final int PATIENCE_SECONDS = 20;

    private Command() {}

    /**
     * What came of a command.
     *
     * @param output of both kinds
     */
    record Result(int exit, String output) {
        boolean worked() {
            return exit == 0;
        }
    }

    /** @throws RealServerException it could not be started, does not end, or failed; with what it said */
    static void run(List<String> command) {
        Result result = attempt(command);
        if (!result.worked()) {
            throw new RealServerException(String.join(" ", command) + ": "
                    + (result.output().isEmpty() ? "exit code " + result.exit() : result.output()));
        }
    }

    /** @throws RealServerException it could not be started, or does not end */
    static Result attempt(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                    .start();
            try {
                return end(process, command);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            String program = command.get(0);
            throw new RealServerException(
                    "there is no " + program + "(8): install " + PACKAGES.getOrDefault(program, program), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RealServerException(String.join(" ", command) + ": interrupted", e);
        }
    }

    private static Result end(Process process, List<String> command) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new RealServerException(String.join(" ", command) + ": does not end");
        }
        return new Result(process.exitValue(), output.strip().replaceAll("\\s*\\R\\s*", "; "));
    }
}
