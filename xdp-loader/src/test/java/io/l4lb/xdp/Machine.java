// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What this machine can do, and commands run on it. */
final class Machine {
    private Machine() {}

    /** Skips the test unless maps can be created here; fails it where {@code l4lb.require} names bpf. */
    static void needBpf() {
        try (BpfMap map = BpfMap.createArray("probe", 4, 1, 0)) {
            map.keys();
        } catch (BpfException e) {
            lacks("bpf", e.toString());
        }
    }

    /** Skips the test unless network namespaces can be made here. */
    static void needNetworkNamespaces() {
        if (!Files.isWritable(Path.of("/run")) || !succeeds("ip", "netns", "list")) {
            lacks("netns", "no right to make network namespaces, or no ip(8)");
        }
    }

    private static void lacks(String capability, String reason) {
        List<String> required =
                Arrays.asList(System.getProperty("l4lb.require", "").split(",", -1));
        if (required.contains(capability)) {
            fail(capability + " is required: " + reason);
        }
        abort(capability + ": " + reason);
    }

    static String run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException(String.join(" ", command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static boolean succeeds(String... command) {
        try {
            run(command);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** How many descriptors of BPF things this process has. */
    static long bpfDescriptors() throws IOException {
        long count = 0;
        try (var entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                if (target(entry).contains("bpf")) {
                    count++;
                }
            }
        }
        return count;
    }

    private static String target(Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }
}
