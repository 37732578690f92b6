// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.health.ProbePlan;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.ProbeTarget;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One pass after the other closes the gap between what is wanted and what the kernel does: withdraw, install, announce,
 * remove. It owns all state that changes; {@link #step} is for the reconcile thread alone. A service that the kernel
 * refuses is tried again later and stops no other.
 */
public final class Reconciler {
    private static final System.Logger LOG = System.getLogger(Reconciler.class.getName());
    /** How long after its withdrawal a VIP may still get packets, from routers that are slow to forget it. */
    static final Duration REMOVAL_HOLD = Duration.ofSeconds(2);
    /** How often everything is read back from the kernel, in case somebody else changed it. */
    static final Duration OBSERVE_INTERVAL = Duration.ofSeconds(10);

    private static final Duration PASS_INTERVAL = Duration.ofSeconds(1);

    private final Dataplane dataplane;
    private final Probes probes;
    private final Announcements announcements;
    private final Planner planner;
    private final Marks marks = new Marks();
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private final Map<ServiceKey, Instant> unwanted = new HashMap<>();

    private List<ObservedService> observed = List.of();
    private Instant observeAt = Instant.MIN;
    private Set<InetAddress> announced = Set.of();
    private Map<InetAddress, String> unreachable = Map.of();
    private List<Service> probed = List.of();
    private boolean started;
    private boolean told;

    public Reconciler(Dataplane dataplane, Probes probes, Announcements announcements, Planner planner) {
        this.dataplane = dataplane;
        this.probes = probes;
        this.announcements = announcements;
        this.planner = planner;
    }

    /**
     * Does one pass.
     *
     * @param config what is wanted
     * @param follow whether routes or neighbours may have changed since the last pass
     */
    public Outcome step(Config config, boolean follow, Instant now) {
        List<Service> services = config.services();
        observe(now);
        boolean changed = !services.equals(probed) || !started;
        if (follow || changed) {
            unreachable = dataplane.follow(reals(services));
        }
        if (changed) {
            probe(services);
        }
        Outcome.Health health = new Outcome.Health(ProbePlan.realHealth(services, probes.snapshot()), unreachable);
        List<DesiredService> desired = planner.desired(services, health::up);
        apply(desired, now);
        started = true;
        return new Outcome(config, desired, observed, health, announced, failures(desired));
    }

    /** When the next pass is due at the latest, if nothing wakes the thread before. */
    public Instant deadline(Instant now) {
        return now.plus(PASS_INTERVAL);
    }

    private void observe(Instant now) {
        if (now.isBefore(observeAt)) {
            return;
        }
        observed = dataplane.observe();
        observeAt = now.plus(OBSERVE_INTERVAL);
        if (!started) {
            // What the predecessor left forwarding it will have announced: only a reason may withdraw it.
            announced = observed.stream()
                    .filter(service -> !service.slots().isEmpty())
                    .flatMap(service -> service.keys().stream())
                    .map(ServiceKey::vip)
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    private void probe(List<Service> services) {
        dataplane.probes(marks.assign(reals(services)));
        Function<ProbeTarget, HealthState> initial = started ? target -> HealthState.UNKNOWN : adopted(services);
        probes.setTargets(ProbePlan.targets(services, marks::of), initial);
        probed = services;
    }

    /** At the start, a real to which the kernel sends flows is taken for up until probes say otherwise. */
    private Function<ProbeTarget, HealthState> adopted(List<Service> services) {
        Set<String> up = new HashSet<>();
        for (Service service : services) {
            for (ServiceKey key : ServiceKey.of(service)) {
                observed.stream()
                        .filter(candidate -> candidate.keys().contains(key))
                        .flatMap(candidate -> candidate.active().stream())
                        .forEach(real -> up.add(ProbePlan.id(service.name(), key.vip(), real)));
            }
        }
        return target -> up.contains(target.id()) ? HealthState.UP : HealthState.UNKNOWN;
    }

    private void apply(List<DesiredService> desired, Instant now) {
        Plan plan = Planner.plan(desired, observed, announced);
        if (!plan.announce().containsAll(announced)) {
            Set<InetAddress> kept = new HashSet<>(announced);
            kept.retainAll(plan.announce());
            want(kept);
        }
        for (DesiredService service : plan.installs()) {
            install(service, now);
        }
        want(Planner.plan(desired, observed, announced).announce());
        remove(plan.removals(), now);
        backoff.retain(desired.stream().map(DesiredService::name).collect(Collectors.toSet()));
    }

    private void want(Set<InetAddress> vips) {
        if (told && vips.equals(announced)) {
            return;
        }
        told = true;
        logDifference(vips, announced, "announcing");
        logDifference(announced, vips, "withdrawing");
        announced = Set.copyOf(vips);
        announcements.want(announced);
    }

    private static void logDifference(Set<InetAddress> of, Set<InetAddress> without, String what) {
        of.stream()
                .filter(vip -> !without.contains(vip))
                .map(IpText::of)
                .sorted()
                .forEach(vip -> LOG.log(System.Logger.Level.INFO, "{0} {1}", what, vip));
    }

    private void install(DesiredService service, Instant now) {
        if (!backoff.mayTry(service.name(), now)) {
            return;
        }
        try {
            ObservedService result = dataplane.install(service.program());
            observed = replaced(result);
            if (!result.does(service.program())) {
                throw new DataplaneException("the kernel has something else than what was written to it");
            }
            backoff.succeeded(service.name());
            LOG.log(System.Logger.Level.INFO, "service {0}: installed, {1} healthy", service.name(), service.healthy());
        } catch (DataplaneException e) {
            if (backoff.failed(service.name(), String.valueOf(e.getMessage()), now)) {
                LOG.log(System.Logger.Level.ERROR, "service {0}: {1}", service.name(), e.getMessage());
            }
        }
    }

    private List<ObservedService> replaced(ObservedService result) {
        List<ObservedService> replaced = new ArrayList<>();
        for (ObservedService service : observed) {
            Set<ServiceKey> rest = new HashSet<>(service.keys());
            rest.removeAll(result.keys());
            if (!rest.isEmpty()) {
                replaced.add(new ObservedService(
                        rest, service.tableSize(), service.digest(), service.slots(), service.active()));
            }
        }
        replaced.add(result);
        return replaced;
    }

    /** Removes what has not been wanted for the hold time and has no route any more. */
    private void remove(Set<ServiceKey> keys, Instant now) {
        unwanted.keySet().retainAll(keys);
        Set<ServiceKey> ready = new LinkedHashSet<>();
        for (ServiceKey key : keys) {
            boolean gone = announced.contains(key.vip()) || announcements.withdrawn(key.vip());
            if (!gone) {
                unwanted.remove(key);
            } else if (!now.isBefore(
                    unwanted.computeIfAbsent(key, unused -> now).plus(REMOVAL_HOLD))) {
                ready.add(key);
            }
        }
        if (ready.isEmpty()) {
            return;
        }
        try {
            dataplane.remove(ready);
            LOG.log(System.Logger.Level.INFO, "removed {0}", ready);
        } catch (DataplaneException e) {
            LOG.log(System.Logger.Level.ERROR, "removing {0}: {1}", ready, e.getMessage());
        }
        observed = dataplane.observe();
    }

    private Map<String, String> failures(List<DesiredService> desired) {
        Map<String, String> failures = new HashMap<>();
        for (DesiredService service : desired) {
            String reason = backoff.reason(service.name());
            if (!reason.isEmpty()) {
                failures.put(service.name(), reason);
            }
        }
        return failures;
    }

    private static Set<InetAddress> reals(List<Service> services) {
        return services.stream()
                .flatMap(service -> service.reals().stream())
                .map(Real::address)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
