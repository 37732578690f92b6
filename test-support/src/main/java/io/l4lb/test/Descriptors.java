// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The file descriptors that this process has open, for tests that nothing leaks. */
public final class Descriptors {
    private Descriptors() {}

    /** All of them; the JVM opens files of its own as it likes. */
    public static long open() {
        return count(List.of(""));
    }

    /** BPF maps, programs, links and BTF. */
    public static long ofBpf() {
        return count(List.of("bpf", "btf"));
    }

    /** Sockets and event descriptors. */
    public static long ofSocketsAndEvents() {
        return count(List.of("socket:", "eventfd"));
    }

    private static long count(List<String> kinds) {
        long count = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                String target = target(entry);
                if (!target.isEmpty() && kinds.stream().anyMatch(target::contains)) {
                    count++;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
