// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.check.Check;
import java.time.Duration;
import java.util.Locale;

/**
 * How a service's reals are probed.
 *
 * @param check what a probe asks
 * @param way on which probes get to the reals
 * @param timing when a probe is sent and what its verdicts lead to
 * @param timeout total deadline of one probe, not above the intervals
 */
public record HealthCheck(Check check, Way way, Timing timing, Duration timeout) {
    /**
     * How probes get to a real.
     *
     * @param port to which they go, 1 to 65535; 0 where the check has none
     * @param packetSize octets of an IP packet that has to get through, before encapsulation; 0: this is not asked
     */
    public record Way(Via via, int port, int packetSize) {}

    /** Which address probes go to. */
    public enum Via {
        /** Each VIP of the service, encapsulated to the real as traffic is. */
        TUNNEL,
        /** The real's own address, as any packet goes there. */
        DIRECT;

        /** As written in the configuration. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
