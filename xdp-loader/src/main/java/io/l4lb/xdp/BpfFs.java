// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file system that holds pins. */
public final class BpfFs {
    private BpfFs() {}

    /** Whether this existing directory lies in a bpffs. */
    public static boolean isMounted(Path directory) {
        try {
            return Files.getFileStore(directory).type().equals("bpf");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Makes the directory, and mounts a bpffs on it unless it lies in one already. The mount belongs to the
     * mount namespace of this process and outlives it.
     *
     * @return whether it had to be mounted
     * @throws BpfUnsupportedException if that is not permitted (CAP_SYS_ADMIN)
     */
    public static boolean ensureMounted(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (isMounted(directory)) {
            return false;
        }
        Host.mountBpfFs(directory.toAbsolutePath().toString());
        return true;
    }
}
