// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the probes of a service say by one of its VIPs.
 *
 * @param states of all its reals that are not in maintenance
 * @param counted those of them that are to get new flows
 */
record ServiceStates(Service service, Map<RealKey, HealthState> states, Set<RealKey> counted) {
    static ServiceStates of(Service service, ServiceKey key, Map<RealKey, Health> health) {
        Map<RealKey, HealthState> states = new LinkedHashMap<>();
        Set<RealKey> counted = new HashSet<>();
        for (Real real : service.reals()) {
            RealKey realKey = new RealKey(key, real.address());
            Health known = health.get(realKey);
            if (known == null || real.maintenance()) {
                continue;
            }
            states.put(realKey, known.state());
            if (real.weight() > 0) {
                counted.add(realKey);
            }
        }
        return new ServiceStates(service, states, counted);
    }

    String name() {
        return service.name();
    }

    /** Those whose probes are named so. */
    Set<RealKey> named(Collection<String> probes) {
        Set<String> names = new HashSet<>(probes);
        return states.keySet().stream()
                .filter(key -> names.contains(key.probeId()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** By real, what is held by the name of its probe. */
    Map<RealKey, Boolean> held(Map<String, Boolean> byProbe) {
        Map<RealKey, Boolean> held = new HashMap<>();
        for (RealKey key : byProbe.isEmpty() ? Set.<RealKey>of() : states.keySet()) {
            Boolean up = byProbe.get(key.probeId());
            if (up != null) {
                held.put(key, up);
            }
        }
        return held;
    }

    /** By real, whether it is one of the good; of those of which nothing is known yet, nothing. */
    Map<RealKey, Boolean> lastGood(Set<RealKey> good) {
        Map<RealKey, Boolean> held = new HashMap<>();
        states.forEach((key, state) -> {
            if (state != HealthState.UNKNOWN) {
                held.put(key, good.contains(key));
            }
        });
        return held;
    }
}
