// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.health.ProbePlan;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.Health;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private static final int INSTALLS_PER_PASS = 16;

    private final Dataplane dataplane;
    private final Probes probes;
    private final Announcements announcements;
    private final Planner planner;
    private final Marks marks = new Marks();
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private final Recovery recovery = new Recovery();
    private final HealthLog healthLog = new HealthLog();
    private final Handover handover = new Handover();
    private final HealthRecord earlier;
    private final Panics panics;
    private final Map<ServiceKey, Instant> unwanted = new HashMap<>();

    private Map<ServiceKey, ObservedService> observed = Map.of();
    private Instant observeAt = Instant.MIN;
    private Set<InetAddress> announced = Set.of();
    private Map<InetAddress, String> unreachable = Map.of();
    private Optional<String> obstacle = Optional.empty();
    private List<Service> probed = List.of();
    private boolean followAgain;
    private boolean started;
    private boolean told;
    private boolean pending;

    /** Without a predecessor but the one that left what the kernel does. */
    public Reconciler(Dataplane dataplane, Probes probes, Announcements announcements, Planner planner) {
        this(dataplane, probes, announcements, planner, HealthRecord.NONE);
    }

    /**
     * A reconciler.
     *
     * @param earlier what the predecessor knew of health
     */
    public Reconciler(
            Dataplane dataplane, Probes probes, Announcements announcements, Planner planner, HealthRecord earlier) {
        this.earlier = earlier;
        this.panics = new Panics(earlier.freeze());
        this.dataplane = dataplane;
        this.probes = probes;
        this.announcements = announcements;
        this.planner = planner;
        marks.adopt(dataplane.marks());
    }

    /**
     * Does one pass.
     *
     * @param config what is wanted
     * @param follow whether routes or neighbours may have changed since the last pass
     * @param now on a clock that never goes back
     */
    public Outcome step(Config config, boolean follow, Instant now) {
        List<Service> services = config.services();
        List<String> problems = new ArrayList<>();
        boolean attached = keepAttached(problems);
        boolean disturbed = disturbed(problems);
        boolean changed = disturbed || !services.equals(probed) || !started;
        Set<ServiceKey> adopted = changed ? dataplane.adopt(Planner.outlines(services)) : Set.of();
        if (disturbed || !adopted.isEmpty()) {
            observeAt = Instant.MIN;
        }
        observe(now);
        if (follow || followAgain || changed) {
            follow(config, problems);
        }
        obstacle.ifPresent(problems::add);
        if (changed) {
            probe(services, started ? adopted : observed.keySet());
        }
        Map<RealKey, Health> health = ProbePlan.states(services, probes.snapshot());
        Freeze freeze = panics.step(config, health, now);
        freeze.general().ifPresent(problems::add);
        RealStates states = new RealStates(health, unreachable, freeze);
        List<DesiredService> desired = planner.desired(services, states);
        healthLog.note(states);
        Set<ServiceKey> kept = handover.kept(desired, observed, announced, states, now);
        apply(config, desired, kept, attached, now);
        started = true;
        return new Outcome(config, desired, observed, states, announced, failures(kept, problems));
    }

    private Outcome.Failures failures(Set<ServiceKey> kept, List<String> problems) {
        Map<ServiceKey, String> reasons = backoff.reasons();
        kept.forEach(key -> reasons.putIfAbsent(key, Handover.WORDS));
        return new Outcome.Failures(reasons, problems);
    }

    /** Believes from the next pass on what the probes of these services say, frozen or not; returns those that were. */
    public Set<ServiceKey> accept(Set<ServiceKey> services) {
        return panics.accept(services);
    }

    /** The same of all services, and of those that are frozen with all others. */
    public Set<ServiceKey> acceptAll() {
        return panics.acceptAll();
    }

    /** When the next pass is due at the latest, if nothing wakes the thread before. */
    public Instant deadline(Instant now) {
        return pending ? now : now.plus(PASS_INTERVAL);
    }

    /** Without the programs no packet is forwarded: nothing may be announced then. */
    private boolean keepAttached(List<String> problems) {
        try {
            dataplane.keepAttached();
            return true;
        } catch (DataplaneException e) {
            problems.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** What is gone from the kernel is put back before reals are blamed for it. */
    private boolean disturbed(List<String> problems) {
        try {
            return dataplane.disturbed();
        } catch (DataplaneException e) {
            problems.add(String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void follow(Config config, List<String> problems) {
        try {
            unreachable = dataplane.follow(config.reals(), vips(config.services()));
            obstacle = dataplane.obstacle(config.reals());
            followAgain = false;
        } catch (DataplaneException e) {
            problems.add(String.valueOf(e.getMessage()));
            followAgain = true; // and until then what was last known holds
        }
    }

    private void observe(Instant now) {
        if (now.isBefore(observeAt)) {
            return;
        }
        observed = dataplane.observe();
        observeAt = now.plus(OBSERVE_INTERVAL);
        if (!started) {
            // What the predecessor left forwarding it will have announced: only a reason may withdraw it.
            // One whose reals are all drained has no slots, but flows.
            announced = observed.values().stream()
                    .filter(service -> !service.active().isEmpty())
                    .map(service -> service.key().vip())
                    .collect(Collectors.toUnmodifiableSet());
        }
    }

    private void probe(List<Service> services, Set<ServiceKey> adopted) {
        dataplane.probes(marks.assign(ProbePlan.paths(services), dataplane.foreignMarks()));
        Set<String> up = active(adopted);
        HealthRecord before = started ? HealthRecord.NONE : earlier;
        probes.setTargets(
                ProbePlan.targets(services, marks::of),
                target -> before.initial(target, up.contains(target.id()), Instant.now()));
        probed = services;
    }

    /** Of services that were adopted, a real to which the kernel sends flows is taken for up until probes say otherwise. */
    private Set<String> active(Set<ServiceKey> adopted) {
        return observed.values().stream()
                .filter(service -> adopted.contains(service.key()))
                .flatMap(service -> service.active().stream().map(real -> new RealKey(service.key(), real).probeId()))
                .collect(Collectors.toSet());
    }

    private void apply(
            Config config, List<DesiredService> desired, Set<ServiceKey> held, boolean attached, Instant now) {
        Set<ServiceKey> rested = recovery.rested(desired, announced, now);
        Plan plan = Planner.plan(desired, observed, announced, rested, held);
        Set<InetAddress> kept = new HashSet<>(announced);
        Set<InetAddress> allowed = allowed(config, plan, attached);
        if (attached) {
            allowed.addAll(plan.mended());
        }
        kept.retainAll(allowed);
        if (!kept.containsAll(announced)) {
            want(kept);
        }
        install(plan.installs(), now);
        Plan rest = Planner.plan(desired, observed, announced, rested, held);
        want(allowed(config, rest, attached));
        remove(config.complete() ? rest.removals() : Set.of(), unfinished(rest), now);
        backoff.retain(desired.stream().map(DesiredService::key).collect(Collectors.toSet()));
    }

    /** A configuration with a file missing does not take down what that file may be about. */
    private Set<InetAddress> allowed(Config config, Plan plan, boolean attached) {
        Set<InetAddress> vips = new HashSet<>();
        if (!attached) {
            return vips;
        }
        vips.addAll(plan.announce());
        if (!config.complete()) {
            plan.removals().stream()
                    .map(ServiceKey::vip)
                    .filter(announced::contains)
                    .forEach(vips::add);
        }
        return vips;
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

    /** A bounded number in one pass, so that health is looked at in between; the next pass follows at once. */
    private void install(List<DesiredService> services, Instant now) {
        List<DesiredService> due = services.stream()
                .filter(service -> backoff.mayTry(service.key(), now))
                .toList();
        pending = due.size() > INSTALLS_PER_PASS;
        if (due.isEmpty()) {
            return;
        }
        Map<ServiceKey, ObservedService> changed = new HashMap<>(observed);
        due.stream().limit(INSTALLS_PER_PASS).forEach(service -> install(service, changed, now));
        observed = changed;
    }

    private void install(DesiredService service, Map<ServiceKey, ObservedService> changed, Instant now) {
        try {
            ObservedService result = dataplane.install(service.program());
            changed.put(service.key(), result);
            if (!result.does(service.program())) {
                throw new DataplaneException("the kernel has something else than what was written to it");
            }
            backoff.succeeded(service.key());
            LOG.log(
                    System.Logger.Level.INFO,
                    "service {0}, {1}: installed, {2} of {3} healthy",
                    service.service().name(),
                    service.key(),
                    service.healthy(),
                    service.service().reals().size());
        } catch (DataplaneException e) {
            if (backoff.failed(service.key(), String.valueOf(e.getMessage()), now)) {
                LOG.log(System.Logger.Level.ERROR, "{0}: {1}", service.key(), e.getMessage());
            }
        }
    }

    /**
     * Removes what has not been wanted for the hold time and has no route any more; at once, if its VIP goes on for other
     * services: they are to have its packets.
     */
    private void remove(Set<ServiceKey> keys, Set<InetAddress> unfinished, Instant now) {
        unwanted.keySet().retainAll(keys);
        Set<ServiceKey> ready = new LinkedHashSet<>();
        for (ServiceKey key : keys) {
            boolean goesOn = announced.contains(key.vip());
            if (!goesOn && !announcements.withdrawn(key.vip())) {
                unwanted.remove(key);
            } else if ((goesOn && !unfinished.contains(key.vip()))
                    || !now.isBefore(
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

    /** VIPs of services that are still to be installed. */
    private static Set<InetAddress> unfinished(Plan plan) {
        return plan.installs().stream().map(service -> service.key().vip()).collect(Collectors.toSet());
    }

    private static Set<InetAddress> vips(List<Service> services) {
        return services.stream()
                .flatMap(service -> service.frontend().vips().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
