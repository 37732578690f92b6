// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Config;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where a pass has left things: what the status is made of. */
public record Outcome(
        Config config,
        List<DesiredService> desired,
        Map<ServiceKey, ObservedService> observed,
        RealStates reals,
        Set<InetAddress> announced,
        Failures failures) {
    public Outcome {
        desired = List.copyOf(desired);
        observed = Map.copyOf(observed);
        announced = Set.copyOf(announced);
    }

    /**
     * What did not go well.
     *
     * @param services why the kernel does not do what is wanted; a service that is fine is left out
     * @param general what concerns all of them
     */
    public record Failures(Map<ServiceKey, String> services, List<String> general) {
        public Failures {
            services = Map.copyOf(services);
            general = List.copyOf(general);
        }
    }
}
