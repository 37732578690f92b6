// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ipvs.IpvsRemains;
import io.l4lb.agent.dataplane.xdp.Remains;
import io.l4lb.agent.model.Config;
import io.l4lb.bgp.exabgp.LeftBehindExaBgp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Takes away what agents have left behind: routes first, then forwarding. Not while an agent runs. */
public final class Release {
    private final Config config;
    private final Consumer<String> told;
    private final Consumer<String> left;

    /**
     * @param told each thing, in words, when it is gone
     * @param left each thing that stays though it may be an agent's
     */
    public Release(Config config, Consumer<String> told, Consumer<String> left) {
        this.config = config;
        this.told = told;
        this.left = left;
    }

    /**
     * Takes everything away.
     *
     * @param dryRun only tell what there is
     * @throws DataplaneException an agent runs, or the kernel refuses, and what was done till then was told; or all that is known is
     *     gone, but files that would say more are damaged
     */
    public void run(boolean dryRun) {
        Path directory = config.agent().stateDir();
        if (Files.notExists(directory)) {
            withoutAgent(dryRun); // nor has there been one; a lock would make the directory
            return;
        }
        try (StateDirectory lock = StateDirectory.lock(directory)) {
            endExaBgp(StateDirectory.bgp(lock.directory()), dryRun);
            withoutAgent(dryRun);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void withoutAgent(boolean dryRun) {
        Remains xdp = new Remains(Dataplanes.xdp(config), told);
        if (dryRun) {
            xdp.list();
        } else {
            xdp.release();
        }
        List<String> damage =
                new IpvsRemains(Dataplanes.ipvs(config), config.agent().stateDir(), told, left).release(dryRun);
        if (!damage.isEmpty()) {
            throw new DataplaneException("there may be more: " + String.join("; ", damage));
        }
    }

    /** Its agent was killed: routers still send packets here. */
    private void endExaBgp(Path directory, boolean dryRun) {
        for (LeftBehindExaBgp exabgp : LeftBehindExaBgp.in(directory)) {
            if (!dryRun) {
                try {
                    exabgp.end();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new DataplaneException("interrupted", e);
                }
            }
            told.accept("ExaBGP, process " + exabgp.pid() + ", and with it the routes");
        }
    }
}
