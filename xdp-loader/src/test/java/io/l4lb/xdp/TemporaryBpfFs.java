// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A bpffs of its own, unmounted when closed: pins in it do not outlive the test. */
final class TemporaryBpfFs implements AutoCloseable {
    private final Path directory;

    TemporaryBpfFs() throws IOException {
        directory = Files.createTempDirectory("l4lb-bpffs");
        BpfFs.ensureMounted(directory);
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    @Override
    public void close() throws IOException {
        Machine.run("umount", directory.toString());
        Files.delete(directory);
    }
}
