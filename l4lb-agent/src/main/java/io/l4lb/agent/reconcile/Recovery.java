// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.HealthCheck;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long services that are not announced have had their quorum. After an outage of the path reals come back one by one,
 * as their probes happen to be due: a director that is announced at the first one would have a table that other
 * directors have not, and reset the flows that routers move to it. For one thread.
 */
final class Recovery {
    private final Map<ServiceKey, Instant> since = new HashMap<>();

    /** The services whose reals have all had the time to come up since the first of them made the quorum. */
    Set<ServiceKey> rested(List<DesiredService> desired, Set<InetAddress> announced, Instant now) {
        Set<ServiceKey> waiting = new HashSet<>();
        Set<ServiceKey> rested = new HashSet<>();
        for (DesiredService service : desired) {
            if (service.quorum() && !announced.contains(service.key().vip())) {
                waiting.add(service.key());
                Instant start = since.computeIfAbsent(service.key(), unused -> now);
                if (!now.isBefore(start.plus(round(service.service().healthCheck())))) {
                    rested.add(service.key());
                }
            }
        }
        since.keySet().retainAll(waiting);
        return rested;
    }

    /** In which every real that is up shows it: as many probes as it takes, and one more for their jitter. */
    static Duration round(HealthCheck check) {
        return check.timing()
                .interval()
                .multipliedBy(check.timing().rise() + 1L)
                .plus(check.timeout());
    }
}
