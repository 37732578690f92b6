// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealHealth;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.RealView.CheckView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.ServiceView.HealthCheckView;
import io.l4lb.healthcheck.Health;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Turns what a pass has left, and the kernel's counters, into rows. For the reconcile thread alone. */
final class StatusReport {
    private final Outcome outcome;
    private final Dataplane dataplane;

    StatusReport(Outcome outcome, Dataplane dataplane) {
        this.outcome = outcome;
        this.dataplane = dataplane;
    }

    /** One row a service, in the order of the configuration. */
    List<ServiceView> services() {
        return outcome.desired().stream().map(this::service).toList();
    }

    private ServiceView service(DesiredService desired) {
        Service service = desired.service();
        Optional<ObservedService> observed = Planner.observedFor(desired, outcome.observed());
        List<RealView> reals = new ArrayList<>();
        Map<InetAddress, Counter> counters =
                dataplane.counters(ServiceKey.of(service).iterator().next());
        for (Real real : service.reals()) {
            int slots = observed.map(ObservedService::slots)
                    .map(bySlot -> bySlot.getOrDefault(real.address(), 0))
                    .orElse(0);
            reals.add(real(service, real, slots, counters.getOrDefault(real.address(), new Counter(0, 0))));
        }
        return new ServiceView(
                service.name(),
                service.frontend().vips().stream().map(IpText::of).toList(),
                service.frontend().protocol().key(),
                service.frontend().port(),
                service.balancing().scheduler().key(),
                service.balancing().hashKey().key(),
                service.balancing().tableSize(),
                service.balancing().forwarding().key(),
                service.quorum().toString(),
                healthCheck(service.healthCheck()),
                desired.healthy(),
                outcome.announced().containsAll(service.frontend().vips()),
                observed.map(found -> "%016x".formatted(found.digest())).orElse(""),
                outcome.failures().getOrDefault(service.name(), ""),
                reals);
    }

    private RealView real(Service service, Real real, int slots, Counter counter) {
        RealKey key = new RealKey(service.name(), real.address());
        RealHealth state = Optional.ofNullable(outcome.health().states().get(key))
                .orElseThrow(() -> new IllegalStateException("no health of " + key));
        Optional<String> unreachable =
                Optional.ofNullable(outcome.health().unreachable().get(real.address()));
        return new RealView(
                service.name(),
                IpText.of(real.address()),
                real.weight(),
                outcome.health().up(key) ? real.weight() : 0,
                unreachable.isPresent() ? "down" : word(state.worst()),
                state.worst().verified(),
                unreachable.orElseGet(() -> state.worst().reason()),
                state.worst().since().toString(),
                slots,
                counter.packets(),
                counter.bytes(),
                state.checks().entrySet().stream()
                        .map(check -> new CheckView(
                                IpText.of(check.getKey()),
                                word(check.getValue()),
                                check.getValue().reason()))
                        .toList());
    }

    private static String word(Health health) {
        return health.state().name().toLowerCase(Locale.ROOT);
    }

    private static HealthCheckView healthCheck(HealthCheck check) {
        return new HealthCheckView(
                check.type().key(),
                check.path(),
                check.host().orElse(""),
                text(check.timing().interval()),
                text(check.timing().timeout()),
                check.timing().rise(),
                check.timing().fall());
    }

    private static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
