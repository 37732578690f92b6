// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.xdp.BpfFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory that holds all pins. */
public final class PinDirectory {
    private PinDirectory() {}

    /**
     * Makes it, with those above it.
     *
     * @throws DataplaneException if it is in no bpffs, or cannot be made; nothing was made then
     */
    public static void make(Path directory) {
        try {
            if (!BpfFs.isMounted(existing(directory))) {
                throw new DataplaneException(
                        "pin-dir " + directory
                                + ": no bpffs is mounted there; mount one (mount -t bpf bpf /sys/fs/bpf) and have pin-dir below it");
            }
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw refused(directory, FileProblem.words(e), e);
        } catch (UncheckedIOException e) {
            throw refused(directory, FileProblem.words(e), e);
        }
    }

    private static DataplaneException refused(Path directory, String why, Exception cause) {
        return new DataplaneException("cannot make the pin-dir " + directory + " (is this root?): " + why, cause);
    }

    /** The directory itself, or the lowest above it that is there. */
    private static Path existing(Path directory) {
        Path parent = directory.getParent();
        return Files.exists(directory) || parent == null ? directory : existing(parent);
    }
}
