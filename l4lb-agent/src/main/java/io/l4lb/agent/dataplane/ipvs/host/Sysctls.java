// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files below /proc/sys, by their paths in it ({@code net/ipv4/conf/eth0.100/rp_filter}); those of the network are the
 * calling thread's namespace's.
 */
record Sysctls(Path root) {
    /** As sysctl(8) writes it: a slash for a dot that belongs to the name, {@code net.ipv4.conf.eth0/100.rp_filter}. */
    static String name(String path) {
        return path.replace('.', ':').replace('/', '.').replace(':', '/');
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** Empty if this kernel has not got it. */
    Optional<String> read(String path) {
        Path file = root.resolve(path);
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + file + ": " + FileProblem.words(e), e);
        }
    }

    void write(String path, String value) {
        Path file = root.resolve(path);
        try {
            Files.writeString(file, value + "\n");
        } catch (IOException e) {
            throw new DataplaneException(
                    "cannot write " + value + " to " + file + ": " + FileProblem.words(e) + ": set " + name(path) + "="
                            + value
                            + " from outside (sysctl, or --sysctl of the container), or run the agent as root with"
                            + " a writable /proc/sys",
                    e);
        }
    }
}
