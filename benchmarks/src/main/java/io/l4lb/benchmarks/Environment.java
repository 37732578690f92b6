// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Where and when figures were measured, as far as they depend on it. No names: figures are published.
 *
 * @param date UTC
 * @param java version and flags of the measured JVMs
 * @param load of the last minute before, as {@code /proc/loadavg} has it: above 0.5 or so others were at work
 */
record Environment(String date, String processor, int processors, String kernel, String java, String load) {
    private static final String MODEL = "model name";

    static Environment observe(Clock clock, List<String> jvmFlags) {
        return new Environment(
                Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString(),
                processorModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor") + " " + Runtime.version() + " " + String.join(" ", jvmFlags),
                read("/proc/loadavg").split(" ", 2)[0]);
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
