// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A bpffs of its own, unmounted when closed: pins in it do not outlive the test. */
public final class TemporaryBpfFs implements AutoCloseable {
    private final Path directory;

    public TemporaryBpfFs() {
        try {
            directory = Files.createTempDirectory("l4lb-bpffs");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Machine.run("mount", "-t", "bpf", "bpf", directory.toString());
    }

    public Path path(String name) {
        return directory.resolve(name);
    }

    @Override
    public void close() {
        Machine.run("umount", directory.toString());
        try {
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
