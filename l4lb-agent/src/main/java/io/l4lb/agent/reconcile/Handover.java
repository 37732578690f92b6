// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Real;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Leaves the flows of a service that forwards with the reals that it had, as long as the first verdicts on those that take the place
 * of all of them are still to come: for as many probes as these take, and no longer. For one thread.
 */
final class Handover {
    /** What is said of such a service. */
    static final String WORDS = "all its reals are new: the old ones go on until the first verdicts on these have come";

    private final Map<ServiceKey, Instant> since = new HashMap<>();

    /** The services that stay as the kernel has them. */
    Set<ServiceKey> kept(
            List<DesiredService> desired,
            Map<ServiceKey, ObservedService> observed,
            Set<InetAddress> announced,
            RealStates states,
            Instant now) {
        Set<ServiceKey> waiting = new HashSet<>();
        Set<ServiceKey> kept = new HashSet<>();
        for (DesiredService service : desired) {
            ServiceKey key = service.key();
            boolean exchanged = announced.contains(key.vip())
                    && Optional.ofNullable(observed.get(key))
                            .filter(actual -> exchanges(actual, service))
                            .isPresent();
            if (exchanged && undecided(service, states)) {
                waiting.add(key);
                Instant start = since.computeIfAbsent(key, unused -> now);
                if (now.isBefore(start.plus(Recovery.round(service.service().healthCheck())))) {
                    kept.add(key);
                }
            }
        }
        since.keySet().retainAll(waiting);
        return kept;
    }

    private static boolean exchanges(ObservedService actual, DesiredService service) {
        return actual.forwards()
                && Collections.disjoint(actual.active(), service.program().active());
    }

    private static boolean undecided(DesiredService service, RealStates states) {
        for (Real real : service.service().reals()) {
            Health health = states.probed(new RealKey(service.key(), real.address()));
            boolean decided = health.verified() && health.state() != HealthState.UNKNOWN;
            if (real.weight() > 0 && !real.maintenance() && !decided) {
                return true;
            }
        }
        return false;
    }
}
