// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.Health;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The panic rule of each service at each VIP, and that of all services together. While either holds, the service goes on with the
 * reals that it had; reals that are new follow their probes. For one thread.
 */
final class Panics {
    private static final System.Logger LOG = System.getLogger(Panics.class.getName());

    private final Map<ServiceKey, PanicRule<RealKey>> rules = new LinkedHashMap<>();
    private final PanicRule<InetAddress> general = new PanicRule<>();
    /** By service that is frozen, whether flows go to each real that it had then. */
    private final Map<ServiceKey, Map<RealKey, Boolean>> held = new LinkedHashMap<>();

    /** Services that are frozen with all others no more, since an operator believes their probes. */
    private final Set<ServiceKey> accepted = new HashSet<>();

    /** Of an earlier run; nothing after the first pass. */
    private Freeze.Saved earlier;

    Panics(Freeze.Saved earlier) {
        this.earlier = earlier;
    }

    /** Takes note of what the probes say; returns who is held by now. */
    Freeze step(Config config, Map<RealKey, Health> health, Instant now) {
        Map<ServiceKey, ServiceStates> all = states(config, health);
        Panic ofAll = config.agent().panic();
        rules.keySet().retainAll(all.keySet());
        all.forEach((key, states) -> step(key, states, ofAll.window(), now));
        stepGeneral(GeneralStates.of(all.values()), ofAll, now);
        held.keySet().retainAll(all.keySet());
        all.forEach(this::hold);
        earlier = Freeze.Saved.NONE;
        return freeze(all);
    }

    private static Map<ServiceKey, ServiceStates> states(Config config, Map<RealKey, Health> health) {
        Map<ServiceKey, ServiceStates> all = new LinkedHashMap<>();
        for (Service service : config.services()) {
            for (ServiceKey key : ServiceKey.allOf(service)) {
                all.put(key, ServiceStates.of(service, key, health));
            }
        }
        return all;
    }

    private void step(ServiceKey key, ServiceStates states, Duration window, Instant now) {
        PanicRule<RealKey> rule = rules.computeIfAbsent(key, unused -> restored(key, states));
        Panic panic = states.service().availability().panic();
        Duration memory = panic.window().compareTo(window) < 0 ? window : panic.window();
        boolean before = rule.frozen().isPresent();
        Optional<String> why = rule.step(states.states(), states.counted(), panic, memory, now);
        why.ifPresent(reason -> thawed(states.name() + ", " + key, reason));
        if (!before) {
            rule.frozen()
                    .ifPresent(frozen -> LOG.log(
                            System.Logger.Level.ERROR,
                            "service {0}, {1}: {2}",
                            states.name(),
                            key,
                            words(states, frozen.reason())));
        }
    }

    private void stepGeneral(GeneralStates states, Panic panic, Instant now) {
        Freeze.Rule saved = earlier.rules().get("");
        if (saved != null) {
            general.restore(new PanicRule.Frozen<>(states.named(saved.good()), saved.reason()));
        }
        boolean before = general.frozen().isPresent();
        Optional<String> why = general.step(states.states(), states.states().keySet(), panic, panic.window(), now);
        why.ifPresent(reason -> thawed("all services", reason));
        if (!before) {
            generalWords().ifPresent(words -> LOG.log(System.Logger.Level.ERROR, "{0}", words));
        }
        if (general.frozen().isEmpty()) {
            accepted.clear();
        }
    }

    private static void thawed(String what, String why) {
        LOG.log(System.Logger.Level.INFO, "{0}: no longer frozen: {1}", what, why);
    }

    private PanicRule<RealKey> restored(ServiceKey key, ServiceStates states) {
        PanicRule<RealKey> rule = new PanicRule<>();
        Freeze.Rule saved = earlier.rules().get(key.toString());
        if (saved != null) {
            rule.restore(new PanicRule.Frozen<>(states.named(saved.good()), saved.reason()));
        }
        Map<RealKey, Boolean> was = states.held(earlier.held());
        if (!was.isEmpty()) {
            held.put(key, was);
        }
        if (earlier.accepted().contains(key.toString())) {
            accepted.add(key);
        }
        return rule;
    }

    private PanicRule<RealKey> rule(ServiceKey key) {
        PanicRule<RealKey> rule = rules.get(key);
        if (rule == null) {
            throw new IllegalStateException("no panic rule of " + key);
        }
        return rule;
    }

    private boolean frozen(ServiceKey key) {
        return rule(key).frozen().isPresent() || (general.frozen().isPresent() && !accepted.contains(key));
    }

    /** Holds the reals of a service that is frozen as of now, forgets those of one that is so no more, and of removed reals. */
    private void hold(ServiceKey key, ServiceStates states) {
        if (!frozen(key)) {
            held.remove(key);
            return;
        }
        Map<RealKey, Boolean> reals =
                held.computeIfAbsent(key, unused -> states.lastGood(rule(key).lastGood()));
        reals.keySet().retainAll(states.states().keySet());
    }

    private Freeze freeze(Map<ServiceKey, ServiceStates> all) {
        if (held.isEmpty() && general.frozen().isEmpty()) {
            return Freeze.NONE;
        }
        Map<RealKey, Boolean> reals = new HashMap<>();
        Map<ServiceKey, String> services = new HashMap<>();
        Map<String, Freeze.Rule> savedRules = new HashMap<>();
        Map<String, Boolean> savedReals = new HashMap<>();
        Set<String> believed = new HashSet<>();
        held.values().forEach(reals::putAll);
        reals.forEach((real, up) -> savedReals.put(real.probeId(), up));
        accepted.forEach(key -> believed.add(key.toString()));
        all.forEach((key, states) -> {
            Optional<PanicRule.Frozen<RealKey>> own = rule(key).frozen();
            own.ifPresent(frozen -> savedRules.put(
                    key.toString(),
                    new Freeze.Rule(frozen.good().stream().map(RealKey::probeId).toList(), frozen.reason())));
            if (frozen(key)) {
                services.put(
                        key, own.map(frozen -> words(states, frozen.reason())).orElse(withAll(states)));
            }
        });
        general.frozen()
                .ifPresent(frozen -> savedRules.put(
                        "",
                        new Freeze.Rule(
                                frozen.good().stream()
                                        .map(InetAddress::getHostAddress)
                                        .toList(),
                                frozen.reason())));
        return new Freeze(reals, services, generalWords(), new Freeze.Saved(savedRules, believed, savedReals));
    }

    private static String words(ServiceStates states, String reason) {
        return "frozen: " + reason + ", the last good set goes on; l4lb health accept " + states.name() + " ends it";
    }

    private static String withAll(ServiceStates states) {
        return "frozen with all services; l4lb health accept " + states.name() + " ends it for this one";
    }

    private Optional<String> generalWords() {
        return general.frozen()
                .map(frozen -> "all services are frozen: " + frozen.reason()
                        + ", the last good sets go on; l4lb health accept --all ends it");
    }

    /** Believes the probes of these services from now on; returns those that were frozen. */
    Set<ServiceKey> accept(Set<ServiceKey> services) {
        Set<ServiceKey> ended = new HashSet<>();
        for (ServiceKey key : services) {
            if (rules.containsKey(key) && frozen(key)) {
                LOG.log(System.Logger.Level.INFO, "{0}: no longer frozen: the operator believes its probes", key);
                rule(key).accept();
                accepted.add(key);
                ended.add(key);
            }
        }
        return ended;
    }

    /** Believes all probes; returns the services that were frozen. */
    Set<ServiceKey> acceptAll() {
        Set<ServiceKey> ended = accept(Set.copyOf(rules.keySet()));
        if (general.frozen().isPresent()) {
            thawed("all services", "the operator believes the probes");
            general.accept();
            accepted.clear();
        }
        return ended;
    }
}
