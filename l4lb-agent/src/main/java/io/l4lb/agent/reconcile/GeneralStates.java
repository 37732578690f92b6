// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What all probes say of the reals of all services, each of which counts once: up as long as it is up for anybody.
 *
 * @param states by address, of those that are to get new flows
 */
record GeneralStates(Map<InetAddress, HealthState> states) {
    static GeneralStates of(Collection<ServiceStates> services) {
        Map<InetAddress, HealthState> states = new HashMap<>();
        for (ServiceStates service : services) {
            service.states().forEach((key, state) -> {
                if (service.counted().contains(key)) {
                    states.merge(key.real(), state, GeneralStates::better);
                }
            });
        }
        return new GeneralStates(states);
    }

    private static HealthState better(HealthState one, HealthState other) {
        return rank(one) >= rank(other) ? one : other;
    }

    private static int rank(HealthState state) {
        return switch (state) {
            case UNKNOWN -> 0;
            case DOWN -> 1;
            case UP -> 2;
        };
    }

    /** The reals of these addresses. */
    Set<InetAddress> named(Collection<String> addresses) {
        Set<String> names = new HashSet<>(addresses);
        return states.keySet().stream()
                .filter(real -> names.contains(real.getHostAddress()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
