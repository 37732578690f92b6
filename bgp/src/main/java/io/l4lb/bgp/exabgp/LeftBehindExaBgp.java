// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import java.nio.file.Path;
import java.util.Optional;

/** An ExaBGP whose speaker has ended without it, so that it goes on announcing. */
public final class LeftBehindExaBgp {
    private final ProcessIdentity process;

    private LeftBehindExaBgp(ProcessIdentity process) {
        this.process = process;
    }

    /**
     * Looks for it.
     *
     * @param directory of the speaker, see {@link io.l4lb.bgp.ExaBgpSettings#directory}
     */
    public static Optional<LeftBehindExaBgp> in(Path directory) {
        return ExaBgpFiles.remembered(directory).map(LeftBehindExaBgp::new);
    }

    /** The number of the process. */
    public long pid() {
        return process.pid();
    }

    /** Ends it and waits for that; its sessions end with it, and so the routers take its routes back. */
    public void end() throws InterruptedException {
        process.endSoon();
    }
}
