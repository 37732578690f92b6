// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Keeps what failed from being tried again too soon: by service, twice as long after each failure. For one thread. */
final class Backoff {
    private record Failure(Duration delay, Instant until, String reason) {}

    private final Duration first;
    private final Duration longest;
    private final Map<ServiceKey, Failure> failures = new HashMap<>();

    Backoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    boolean mayTry(ServiceKey service, Instant now) {
        Failure failure = failures.get(service);
        return failure == null || !now.isBefore(failure.until);
    }

    /** Notes a failure; returns whether it is news: the first one, or for another reason. */
    boolean failed(ServiceKey service, String reason, Instant now) {
        Failure previous = failures.get(service);
        Duration delay = previous == null ? first : min(previous.delay.multipliedBy(2));
        failures.put(service, new Failure(delay, now.plus(delay), reason));
        return previous == null || !previous.reason.equals(reason);
    }

    void succeeded(ServiceKey service) {
        failures.remove(service);
    }

    /** Why each failed last. */
    Map<ServiceKey, String> reasons() {
        Map<ServiceKey, String> reasons = new HashMap<>();
        failures.forEach((service, failure) -> reasons.put(service, failure.reason));
        return reasons;
    }

    /** Forgets all others. */
    void retain(Set<ServiceKey> services) {
        failures.keySet().retainAll(services);
    }

    private Duration min(Duration delay) {
        return delay.compareTo(longest) > 0 ? longest : delay;
    }
}
