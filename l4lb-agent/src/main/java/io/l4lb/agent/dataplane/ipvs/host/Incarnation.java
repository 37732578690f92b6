// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What IPVS and the settings of the network live and end with: one boot of the kernel, one network namespace. What a file
 * says of another one is history.
 */
public record Incarnation(String boot, String namespace) {
    public Incarnation {
        Objects.requireNonNull(boot);
        Objects.requireNonNull(namespace);
    }

    /** That of the calling thread. */
    public static Incarnation current() {
        return current(Path.of("/proc"));
    }

    static Incarnation current(Path proc) {
        Path boot = proc.resolve("sys/kernel/random/boot_id");
        Path namespace = proc.resolve("thread-self/ns/net");
        try {
            return new Incarnation(
                    Files.readString(boot).strip(),
                    Files.readSymbolicLink(namespace).toString());
        } catch (IOException e) {
            throw new DataplaneException("cannot read " + boot + " and " + namespace + ": " + FileProblem.words(e), e);
        }
    }
}
