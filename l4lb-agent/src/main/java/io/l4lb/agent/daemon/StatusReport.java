// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.CheckText;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.RealView.CheckView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.ServiceView.HealthCheckView;
import io.l4lb.agent.status.ServiceView.QuorumView;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns what a pass has left, and the kernel's counters, into rows. For the reconcile thread alone. */
final class StatusReport {
    private final Outcome outcome;
    private final Dataplane dataplane;
    private final Predicate<InetAddress> heard;

    /**
     * A report.
     *
     * @param heard whether a router has been told of a VIP
     */
    StatusReport(Outcome outcome, Dataplane dataplane, Predicate<InetAddress> heard) {
        this.outcome = outcome;
        this.dataplane = dataplane;
        this.heard = heard;
    }

    /** One row a service, in the order of the configuration. */
    List<ServiceView> services() {
        Map<String, List<DesiredService>> byName = new LinkedHashMap<>();
        for (DesiredService desired : outcome.desired()) {
            byName.computeIfAbsent(desired.service().name(), unused -> new ArrayList<>())
                    .add(desired);
        }
        return byName.values().stream().map(this::service).toList();
    }

    /** What should be said loudly: VIPs that are not announced, and why. */
    List<String> problems() {
        List<String> problems = new ArrayList<>(outcome.failures().general());
        for (DesiredService desired : outcome.desired()) {
            String where = "service " + desired.service().name() + ", " + desired.key() + ": ";
            String failure = outcome.failures().services().getOrDefault(desired.key(), "");
            if (!failure.isEmpty()) {
                problems.add(where + failure);
            }
            String panic = frozen(desired);
            if (!panic.isEmpty() && outcome.reals().freeze().general().isEmpty()) {
                problems.add(where + panic);
            }
            if (desired.fallback()) {
                problems.add(where + fallback(desired));
            }
            if (desired.draining()) {
                problems.add(where + "no real has a weight above 0: new connections are dropped");
            }
            if (!outcome.announced().contains(desired.key().vip())) {
                if (!desired.quorum()) {
                    problems.add(where + "not announced, " + desired.healthy() + " healthy, quorum "
                            + desired.service().quorum());
                } else if (failure.isEmpty()) {
                    problems.add(where + "not announced, waiting until all its reals have had the time to come up");
                }
            } else if (!desired.quorum() && !desired.draining() && failure.isEmpty()) {
                problems.add(where + desired.healthy() + " healthy; the VIP is announced for another service");
            }
        }
        return problems;
    }

    private List<String> announced(Service service) {
        return service.frontend().vips().stream()
                .filter(vip -> outcome.announced().contains(vip) && heard.test(vip))
                .map(IpText::of)
                .toList();
    }

    private ServiceView service(List<DesiredService> desired) {
        Service service = desired.get(0).service();
        List<RealView> reals = new ArrayList<>();
        Map<ServiceKey, Map<InetAddress, Counter>> counters = new HashMap<>();
        desired.forEach(one -> counters.put(one.key(), dataplane.counters(one.key())));
        for (Real real : service.reals()) {
            reals.add(real(service, real, counters));
        }
        return new ServiceView(
                service.name(),
                service.frontend().vips().stream().map(IpText::of).toList(),
                service.frontend().protocol().key(),
                service.frontend().port(),
                service.balancing().scheduling().key(),
                service.balancing().hashKey().key(),
                quic(service.balancing()),
                tableSize(service, desired),
                service.balancing().forwarding().key(),
                new QuorumView(service.quorum().toString()),
                healthCheck(service.healthCheck()),
                desired.stream().mapToInt(this::healthy).min().orElse(0),
                announced(service).size() == service.frontend().vips().size(),
                announced(service),
                distinct(desired.stream().map(DesiredService::key).flatMap(this::digest)),
                desired.stream().anyMatch(one -> !frozen(one).isEmpty()),
                desired.stream()
                        .map(this::problem)
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("; ")),
                reals);
    }

    /** As the kernel has it, whose mh has a size of its own; as configured, while it has nothing. */
    private int tableSize(Service service, List<DesiredService> desired) {
        return desired.stream()
                .map(one -> outcome.observed().get(one.key()))
                .filter(Objects::nonNull)
                .mapToInt(ObservedService::tableSize)
                .max()
                .orElse(service.balancing().scheduling().tableSize());
    }

    /** What {@link #problems} says of it, in few words. */
    private String problem(DesiredService desired) {
        String failure = outcome.failures().services().getOrDefault(desired.key(), "");
        if (!failure.isEmpty()) {
            return failure;
        }
        if (!frozen(desired).isEmpty()) {
            return frozen(desired);
        }
        if (desired.fallback()) {
            return fallback(desired);
        }
        if (desired.service().reals().stream().noneMatch(real -> real.weight() > 0)) {
            return "no real has a weight above 0";
        }
        if (desired.healthy() == 0) {
            return "no real is up" + reason(desired);
        }
        if (!desired.quorum()) {
            return desired.healthy() + " healthy, quorum " + desired.service().quorum();
        }
        return outcome.announced().contains(desired.key().vip()) ? "" : "waiting until all its reals are up";
    }

    /** Why its reals are held; empty: they are not. */
    private String frozen(DesiredService desired) {
        return outcome.reals().freeze().services().getOrDefault(desired.key(), "");
    }

    /** Reals that are up and have a weight above 0; probes tell, whoever is held. */
    private int healthy(DesiredService desired) {
        return frozen(desired).isEmpty()
                ? desired.healthy()
                : (int) desired.service().reals().stream()
                        .filter(real -> real.weight() > 0 && !real.maintenance())
                        .filter(real ->
                                outcome.reals().state(new RealKey(desired.key(), real.address())) == HealthState.UP)
                        .count();
    }

    /** Who gets its packets, since no real is up. */
    private static String fallback(DesiredService desired) {
        return desired.service()
                .availability()
                .allDown()
                .sorry()
                .map(sorry -> "no real is up: the sorry real " + IpText.of(sorry.address()) + " gets all packets")
                .orElse("no real is up: all get packets");
    }

    /** Why its reals are not up, if it is the same for all. */
    private String reason(DesiredService desired) {
        List<String> reasons = desired.service().reals().stream()
                .filter(real -> real.weight() > 0)
                .map(real -> outcome.reals().reason(new RealKey(desired.key(), real.address())))
                .distinct()
                .toList();
        return reasons.size() == 1 && !reasons.get(0).isEmpty() ? ": " + reasons.get(0) : "";
    }

    private static Map<String, Integer> quic(Balancing balancing) {
        Map<String, Integer> quic = new LinkedHashMap<>();
        balancing.connectionIds().ifPresent(layout -> {
            quic.put("cid-length", layout.length());
            quic.put("server-id-length", layout.serverIdLength());
            quic.put("rotation", layout.rotation());
        });
        return quic;
    }

    private Stream<String> digest(ServiceKey key) {
        return Stream.ofNullable(outcome.observed().get(key)).map(found -> "%016x".formatted(found.digest()));
    }

    private static String distinct(Stream<String> words) {
        return words.distinct().collect(Collectors.joining(" "));
    }

    private RealView real(Service service, Real real, Map<ServiceKey, Map<InetAddress, Counter>> counters) {
        List<CheckView> checks = new ArrayList<>();
        List<Health> states = new ArrayList<>();
        boolean up = false;
        long packets = 0;
        long bytes = 0;
        for (ServiceKey key : ServiceKey.allOf(service)) {
            RealKey realKey = new RealKey(key, real.address());
            states.add(outcome.reals().probed(realKey));
            checks.add(check(realKey));
            up |= outcome.reals().up(realKey);
            Counter counter = counters.getOrDefault(key, Map.of()).getOrDefault(real.address(), new Counter(0, 0));
            packets += counter.packets();
            bytes += counter.bytes();
        }
        int worst = worst(checks);
        return new RealView(
                service.name(),
                IpText.of(real.address()),
                real.serverId().map(ServerId::toString).orElse(""),
                real.weight(),
                up ? real.weight() : 0,
                checks.get(worst).health(),
                states.get(worst).verified(),
                checks.get(worst).reason(),
                states.get(worst).since().toString(),
                checks.stream().mapToInt(CheckView::slots).max().orElse(0),
                packets,
                bytes,
                checks);
    }

    private CheckView check(RealKey key) {
        int slots = Optional.ofNullable(outcome.observed().get(key.service()))
                .map(found -> found.slots().getOrDefault(key.real(), 0))
                .orElse(0);
        return new CheckView(
                IpText.of(key.service().vip()),
                outcome.reals().state(key).name().toLowerCase(Locale.ROOT),
                outcome.reals().reason(key),
                slots);
    }

    /** The position of the one to show in the row. */
    private static int worst(List<CheckView> checks) {
        List<String> order = List.of("up", "unknown", "down");
        int worst = 0;
        for (int i = 1; i < checks.size(); i++) {
            if (order.indexOf(checks.get(i).health())
                    > order.indexOf(checks.get(worst).health())) {
                worst = i;
            }
        }
        return worst;
    }

    private static HealthCheckView healthCheck(HealthCheck check) {
        return new HealthCheckView(
                CheckText.of(check),
                check.way().via().key(),
                check.way().port(),
                check.way().packetSize(),
                text(check.timing().interval()),
                text(check.timing().downInterval()),
                text(check.timeout()),
                check.timing().rise(),
                check.timing().fall());
    }

    /** As the configuration writes it. */
    static String text(Duration duration) {
        return duration.toMillis() % 1000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }
}
