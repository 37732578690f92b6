// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of a real, from the probes of it by each VIP of its service: the worst of them counts, since a client may
 * come by any of them.
 *
 * @param worst the probe that decides
 * @param checks by VIP, in the order of the configuration, at least one
 */
public record RealHealth(Health worst, Map<InetAddress, Health> checks) {
    public RealHealth {
        checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
    }

    static RealHealth of(Map<InetAddress, Health> checks) {
        Health worst = checks.values().stream()
                .reduce((a, b) -> badness(b) > badness(a) ? b : a)
                .orElseThrow();
        return new RealHealth(worst, checks);
    }

    /** Whether new flows may go to it. */
    public boolean up() {
        return worst.state() == HealthState.UP;
    }

    private static int badness(Health health) {
        return switch (health.state()) {
            case UP -> health.verified() ? 0 : 1;
            case UNKNOWN -> 2;
            case DOWN -> 3;
        };
    }
}
