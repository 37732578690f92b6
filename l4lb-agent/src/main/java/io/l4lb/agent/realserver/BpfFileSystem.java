// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.file.FileProblem;
import io.l4lb.xdp.BpfFs;
import io.l4lb.xdp.BpfUnsupportedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A bpffs for the pins of our program. See {@link Kind#BPF_FILE_SYSTEM}. */
final class BpfFileSystem implements Part {
    static final String MOUNTED = "mounted";

    @Override
    public String read(String name) {
        Path path = Path.of(name);
        return Files.isDirectory(path) && BpfFs.isMounted(path) ? MOUNTED : "";
    }

    /** What is mounted on a directory hides what was in it. */
    @Override
    public String refusal(String name, String value) {
        Path directory = Path.of(name);
        if (value.isEmpty() || Files.notExists(directory)) {
            return "";
        }
        if (!Files.isDirectory(directory)) {
            return "no bpffs at " + directory + ", and none can be mounted there: it is not a directory";
        }
        if (BpfFs.isMounted(directory)) {
            return "";
        }
        try (Stream<Path> content = Files.list(directory)) {
            return content.findAny().isEmpty()
                    ? ""
                    : "no bpffs at " + directory
                            + ", and none is mounted there, since it would hide what is in it: choose another --pin-dir";
        } catch (IOException e) {
            return "cannot look into " + directory + ": " + FileProblem.words(e);
        }
    }

    @Override
    public void write(String name, String value) {
        String refusal = refusal(name, value);
        if (!refusal.isEmpty()) {
            throw new RealServerException(refusal);
        }
        try {
            BpfFs.ensureMounted(Path.of(name));
        } catch (UncheckedIOException e) {
            throw new RealServerException(cannot(name) + FileProblem.words(e), e);
        } catch (BpfUnsupportedException e) {
            throw new RealServerException(cannot(name) + e.getMessage(), e);
        }
    }

    private static String cannot(String name) {
        return "no bpffs at " + name + ", and none can be mounted: ";
    }
}
