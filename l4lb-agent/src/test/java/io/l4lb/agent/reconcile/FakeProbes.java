// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Verdict;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A health monitor whose targets are in the states that a test sets. */
public final class FakeProbes implements Probes {
    private final Map<String, Health> states = new HashMap<>();
    List<ProbeTarget> targets = List.of();

    @Override
    public void setTargets(Collection<ProbeTarget> wanted, Function<ProbeTarget, Health> initial) {
        targets = List.copyOf(wanted);
        Set<String> ids = new HashSet<>();
        for (ProbeTarget target : wanted) {
            ids.add(target.id());
            states.computeIfAbsent(target.id(), id -> initial.apply(target));
        }
        states.keySet().retainAll(ids);
    }

    public void all(HealthState state) {
        targets.forEach(target -> states.put(target.id(), health(target, state)));
    }

    public void set(InetAddress vip, InetAddress real, HealthState state) {
        targets.stream()
                .filter(target -> target.probe().destination().getAddress().equals(vip))
                .filter(target -> target.id().endsWith(" " + real.getHostAddress()))
                .forEach(target -> states.put(target.id(), health(target, state)));
    }

    /** As after a verdict that led there. */
    private static Health health(ProbeTarget target, HealthState state) {
        Health health = Health.start(target.timing(), state, Instant.EPOCH);
        return switch (state) {
            case UNKNOWN -> health;
            case UP -> health.next(Verdict.success("fine", Duration.ZERO), Instant.EPOCH);
            case DOWN -> health.next(Verdict.failure("no answer", Duration.ZERO), Instant.EPOCH);
        };
    }

    /** What is asked for the target of that id. */
    public Optional<Probe> probe(String id) {
        return targets.stream()
                .filter(target -> target.id().equals(id))
                .map(ProbeTarget::probe)
                .findFirst();
    }

    void forget() {
        states.clear();
    }

    @Override
    public HealthSnapshot snapshot() {
        return new HealthSnapshot(states);
    }
}
