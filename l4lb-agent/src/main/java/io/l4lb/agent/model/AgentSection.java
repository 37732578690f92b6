// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.agent.model.Availability.Panic;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@code [agent]} table.
 *
 * @param servicesDir holds {@code *.toml} files with more services
 * @param hashSeedFile holds 32 hexadecimal digits; empty: the seed is all zero, which is said loudly
 * @param panic when failing reals are not believed any more, of all services together
 */
public record AgentSection(
        Dataplane dataplane,
        Path controlSocket,
        Path stateDir,
        Path servicesDir,
        Optional<String> metricsListen,
        Optional<Path> hashSeedFile,
        Panic panic) {
    /** Where more services are looked for unless the file says otherwise. */
    public static final Path DEFAULT_SERVICES_DIR = Path.of("/etc/l4lb/services.d");

    /** With the default of the panic rule. */
    public AgentSection(
            Dataplane dataplane,
            Path controlSocket,
            Path stateDir,
            Path servicesDir,
            Optional<String> metricsListen,
            Optional<Path> hashSeedFile) {
        this(dataplane, controlSocket, stateDir, servicesDir, metricsListen, hashSeedFile, Panic.DEFAULT);
    }

    /** The kernel dataplane that the agent programs. */
    public enum Dataplane {
        XDP("xdp"),
        IPVS("ipvs");

        private final String key;

        Dataplane(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }
}
