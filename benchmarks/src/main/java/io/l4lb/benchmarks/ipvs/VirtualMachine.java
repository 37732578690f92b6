// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.l4lb.benchmarks.report.MeasurementException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures in a machine that has IPVS: this one, or a virtual one with Debian's kernel, which is booted for it. */
public final class VirtualMachine {
    private static final Path IPVS = Path.of("/proc/net/ip_vs");
    private static final String MODULES = "modprobe -a ip_vs ip_vs_mh ip_vs_wrr ip_vs_lc ip_vs_sh veth && ";

    /** In the machine's memory: each JVM that is started would read the other one through the emulation. */
    private static final String COPY = "/tmp/bench.jar";

    /** Far longer than it takes. */
    private static final String SECONDS = "3000";

    private VirtualMachine() {}

    /** Whether figures of IPVS can be made right here. */
    public static boolean isHere() {
        return Files.exists(IPVS);
    }

    /**
     * What the same program measures there.
     *
     * @param arguments of this program
     * @throws MeasurementException the machine did not come up, or nothing was measured
     */
    public static List<IpvsRow> measure(String... arguments) {
        try {
            Path shared = Files.createTempDirectory("l4lb-bench");
            try {
                return measure(shared, shared.resolve("rows.json"), List.of(arguments));
            } finally {
                Files.deleteIfExists(shared.resolve("rows.json"));
                Files.delete(shared);
            }
        } catch (IOException e) {
            throw new MeasurementException("IPVS", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MeasurementException("IPVS", e);
        }
    }

    private static List<IpvsRow> measure(Path shared, Path rows, List<String> arguments)
            throws IOException, InterruptedException {
        Path jar = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        List<String> inside = new ArrayList<>();
        inside.add(ProcessHandle.current().info().command().orElse("java"));
        inside.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", COPY));
        inside.addAll(arguments);
        String run = jar.resolve("../../../lab/vm/run").normalize().toString();
        String command = MODULES + "cp " + jar + " " + COPY + " && " + String.join(" ", inside) + " > " + rows;
        // What its console says is progress.
        int status = new ProcessBuilder(run, "-t", SECONDS, "-m", "2048", "-w", shared.toString(), command)
                .redirectOutput(new File("/dev/stderr"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(run + " ended with status " + status);
        }
        return new ObjectMapper().readValue(rows.toFile(), new TypeReference<List<IpvsRow>>() {});
    }
}
