// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.ProbeTarget;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A health monitor whose targets are in the states that a test sets. */
public final class FakeProbes implements Probes {
    private final Map<String, Health> states = new HashMap<>();
    List<ProbeTarget> targets = List.of();

    @Override
    public void setTargets(Collection<ProbeTarget> wanted, Function<ProbeTarget, HealthState> initial) {
        targets = List.copyOf(wanted);
        Set<String> ids = new HashSet<>();
        for (ProbeTarget target : wanted) {
            ids.add(target.id());
            states.computeIfAbsent(
                    target.id(), id -> Health.start(target.timing(), initial.apply(target), Instant.EPOCH));
        }
        states.keySet().retainAll(ids);
    }

    public void all(HealthState state) {
        targets.forEach(target -> states.put(target.id(), Health.start(target.timing(), state, Instant.EPOCH)));
    }

    public void set(InetAddress vip, InetAddress real, HealthState state) {
        targets.stream()
                .filter(target -> target.destination().getAddress().equals(vip))
                .filter(target -> target.id().endsWith(" " + real.getHostAddress()))
                .forEach(target -> states.put(target.id(), Health.start(target.timing(), state, Instant.EPOCH)));
    }

    void forget() {
        states.clear();
    }

    @Override
    public HealthSnapshot snapshot() {
        return new HealthSnapshot(states);
    }
}
