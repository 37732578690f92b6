// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What IPVS has counted, not older than the kernel's own period, in which it brings its numbers up to date. A status a
 * second with a thousand services would be a thousand dumps a second otherwise. For the reconcile thread alone.
 */
final class RecentCounters {
    /** Of the kernel's estimator (net/netfilter/ipvs/ip_vs_est.c). */
    private static final Duration PERIOD = Duration.ofSeconds(2);

    private final Kernel kernel;
    private final InstantSource clock;
    private final Map<ServiceIdentity, List<DestinationEntry>> destinations = new HashMap<>();
    private Optional<List<ServiceEntry>> services = Optional.empty();
    private Instant due = Instant.MIN;

    /**
     * Counters.
     *
     * @param clock that never goes back
     */
    RecentCounters(Kernel kernel, InstantSource clock) {
        this.kernel = kernel;
        this.clock = clock;
    }

    /** The next one who asks is told what is so then. */
    void forget() {
        destinations.clear();
        services = Optional.empty();
    }

    private void refresh() {
        Instant now = clock.instant();
        if (!now.isBefore(due)) {
            forget();
            due = now.plus(PERIOD);
        }
    }

    /** All services, not only ours. */
    List<ServiceEntry> services() {
        refresh();
        List<ServiceEntry> known = services.orElseGet(kernel::services);
        services = Optional.of(known);
        return known;
    }

    /** Of a service that is not there: none. */
    List<DestinationEntry> destinations(ServiceIdentity service) {
        refresh();
        List<DestinationEntry> known = destinations.get(service);
        if (known == null) {
            known = kernel.destinations(service);
            destinations.put(service, known);
        }
        return known;
    }
}
