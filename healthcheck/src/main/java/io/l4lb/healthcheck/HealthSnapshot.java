// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.Map;
import java.util.Optional;

/** The health of every target at one moment, by target id. Complete each time: a level, not a change. */
public record HealthSnapshot(Map<String, Health> byId) {
    public static final HealthSnapshot EMPTY = new HealthSnapshot(Map.of());

    public HealthSnapshot {
        byId = Map.copyOf(byId);
    }

    public Optional<Health> of(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    /** UNKNOWN for a target that is not known at all. */
    public HealthState state(String id) {
        return of(id).map(Health::state).orElse(HealthState.UNKNOWN);
    }
}
