// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whom a panic holds in the state that they had, whatever their probes say.
 *
 * @param held whether flows go to a real
 * @param services why a service is frozen, in words
 * @param general why all of them are; empty: they are not
 * @param saved the same for a state file
 */
public record Freeze(
        Map<RealKey, Boolean> held, Map<ServiceKey, String> services, Optional<String> general, Saved saved) {
    public static final Freeze NONE = new Freeze(Map.of(), Map.of(), Optional.empty(), Saved.NONE);

    public Freeze {
        held = Map.copyOf(held);
        services = Map.copyOf(services);
    }

    /**
     * A freeze that outlives the agent; all is named by text.
     *
     * @param rules by service, why it is frozen by itself; under the empty name, why all are
     * @param accepted services whose probes an operator believes though all are frozen
     * @param held by probe, whether flows go to the real
     */
    public record Saved(Map<String, Rule> rules, Set<String> accepted, Map<String, Boolean> held) {
        public static final Saved NONE = new Saved(Map.of(), Set.of(), Map.of());

        public Saved {
            rules = Map.copyOf(rules);
            accepted = Set.copyOf(accepted);
            held = Map.copyOf(held);
        }
    }

    /**
     * A frozen rule.
     *
     * @param good its probes; of the rule of all services, the addresses of reals
     */
    public record Rule(List<String> good, String reason) {
        public Rule {
            good = List.copyOf(good);
            if (reason.isBlank()) {
                throw new IllegalArgumentException("a frozen rule has a reason");
            }
        }
    }
}
