// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Keeps what failed from being tried again too soon: by name, twice as long after each failure. For one thread. */
final class Backoff {
    private record Failure(Duration delay, Instant until, String reason) {}

    private final Duration first;
    private final Duration longest;
    private final Map<String, Failure> failures = new HashMap<>();

    Backoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
    }

    boolean mayTry(String name, Instant now) {
        Failure failure = failures.get(name);
        return failure == null || !now.isBefore(failure.until);
    }

    /** Notes a failure; returns whether it is news: the first one, or for another reason. */
    boolean failed(String name, String reason, Instant now) {
        Failure previous = failures.get(name);
        Duration delay = previous == null ? first : min(previous.delay.multipliedBy(2));
        failures.put(name, new Failure(delay, now.plus(delay), reason));
        return previous == null || !previous.reason.equals(reason);
    }

    void succeeded(String name) {
        failures.remove(name);
    }

    /** Why it failed last; empty: it did not. */
    String reason(String name) {
        Failure failure = failures.get(name);
        return failure == null ? "" : failure.reason;
    }

    /** Forgets all others. */
    void retain(Set<String> names) {
        failures.keySet().retainAll(names);
    }

    private Duration min(Duration delay) {
        return delay.compareTo(longest) > 0 ? longest : delay;
    }
}
