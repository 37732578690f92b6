// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.health.RealHealth;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a pass has left things: what the status is made of.
 *
 * @param failures by service, why the kernel does not do what is wanted; a service that is fine is left out
 */
public record Outcome(
        Config config,
        List<DesiredService> desired,
        List<ObservedService> observed,
        Health health,
        Set<InetAddress> announced,
        Map<String, String> failures) {
    public Outcome {
        desired = List.copyOf(desired);
        observed = List.copyOf(observed);
        announced = Set.copyOf(announced);
        failures = Map.copyOf(failures);
    }

    /**
     * What is known of the reals.
     *
     * @param unreachable by real, why no packet can be sent to it
     */
    public record Health(Map<RealKey, RealHealth> states, Map<InetAddress, String> unreachable) {
        public Health {
            states = Map.copyOf(states);
            unreachable = Map.copyOf(unreachable);
        }

        /** Whether new flows may go to a real. */
        public boolean up(RealKey key) {
            RealHealth state = states.get(key);
            return state != null && state.up() && !unreachable.containsKey(key.real());
        }
    }
}
