// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system of its own, which can be full or read-only; unmounted when closed. */
public final class TemporaryTmpFs implements AutoCloseable {
    private final Path directory;

    /** @param options of mount(8): {@code size=16k} */
    public TemporaryTmpFs(String options) {
        try {
            directory = Files.createTempDirectory("l4lb-tmpfs");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Machine.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", directory.toString());
    }

    public Path path() {
        return directory;
    }

    public void makeReadOnly() {
        Machine.run("mount", "-o", "remount,ro", directory.toString());
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
