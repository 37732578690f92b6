// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import java.nio.file.Path;
import java.util.List;

/** An ExaBGP whose speaker has ended without it, so that it goes on announcing. */
public final class LeftBehindExaBgp {
    private final ProcessIdentity process;

    private LeftBehindExaBgp(ProcessIdentity process) {
        this.process = process;
    }

    /**
     * Looks for it by the file that names it and, for that may not have been written, among all processes.
     *
     * @param directory of the speaker, see {@link io.l4lb.bgp.ExaBgpSettings#directory}
     */
    public static List<LeftBehindExaBgp> in(Path directory) {
        return ExaBgpFiles.running(directory).stream()
                .map(LeftBehindExaBgp::new)
                .toList();
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
