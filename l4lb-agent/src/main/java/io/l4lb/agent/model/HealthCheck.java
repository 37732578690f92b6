// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.time.Duration;
import java.util.Optional;

/**
 * How a service's reals are probed. Probes go to each VIP of the service through the real's tunnel.
 *
 * @param port to which they go, 1 to 65535
 * @param path request target of an HTTP probe; unused by others
 * @param host Host header of an HTTP probe; empty: the VIP
 */
public record HealthCheck(Type type, int port, String path, Optional<String> host, Timing timing) {
    /** What a probe does. */
    public enum Type {
        TCP("tcp"),
        HTTP("http");

        private final String key;

        Type(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /**
     * When a probe is sent and what its verdicts lead to.
     *
     * @param timeout total deadline of one probe, not above {@code interval}
     * @param rise successes in a row that take a real up
     * @param fall failures in a row that take it down
     */
    public record Timing(Duration interval, Duration timeout, int rise, int fall) {}
}
