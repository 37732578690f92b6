// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Since when things that get no new connections keep those that they have. For one thread. */
final class Drains<T> {
    private final Duration timeout;
    private final Map<T, Instant> since = new HashMap<>();

    Drains(Duration timeout) {
        this.timeout = timeout;
    }

    /** These drain, and no others. */
    void set(Set<T> draining, Instant now) {
        since.keySet().retainAll(draining);
        draining.forEach(each -> since.putIfAbsent(each, now));
    }

    /** Whether its time is over. */
    boolean over(T each, Instant now) {
        Instant start = since.get(each);
        return start != null && !now.isBefore(start.plus(timeout));
    }

    Set<T> all() {
        return Set.copyOf(since.keySet());
    }
}
