// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Where and when figures were measured, as far as they depend on it. No names: figures are published.
 *
 * @param date UTC
 * @param java of the measured JVMs too
 * @param load of the last minute before, as {@code /proc/loadavg} has it: above 0.5 or so others were at work
 * @param quick whether as little as possible was measured
 * @param agentJvm whether under the agent's JVM flags (client compiler alone) instead of the JVM's own
 */
record Environment(
        String date,
        String processor,
        int processors,
        String kernel,
        String java,
        String load,
        boolean quick,
        boolean agentJvm) {
    private static final String MODEL = "model name";

    static Environment observe(Clock clock, boolean quick, boolean agentJvm) {
        return new Environment(
                Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString(),
                processorModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version(),
                read("/proc/loadavg").split(" ", 2)[0],
                quick,
                agentJvm);
    }

    private static String processorModel() {
        return read("/proc/cpuinfo")
                .lines()
                .filter(line -> line.startsWith(MODEL))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("unknown");
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            return "unknown";
        }
    }
}
