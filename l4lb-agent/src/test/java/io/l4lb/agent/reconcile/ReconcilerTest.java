// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.ProbeTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ReconcilerTest {
    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final FakeProbes probes = new FakeProbes();
    private final FakeRoutes routes = new FakeRoutes();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Reconciler reconciler = agent();

    @Test
    void startsDownAndAnnouncesOnceARealIsUp() {
        Config config = config(web(real(ONE, 100), real(TWO, 100)));
        step(config);
        assertEquals(Set.of(), routes.wanted);
        probes.all(HealthState.UP);
        step(config);
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
        assertEquals(Set.of(ONE, TWO), kernel.observe().get(0).active());
    }

    @Test
    void aRealServesOnlyWhenTheProbesByEveryVipSucceed() {
        Config config = config(web(real(ONE, 100), real(TWO, 100)));
        step(config);
        probes.all(HealthState.UP);
        probes.set(VIP6, TWO, HealthState.DOWN);
        step(config);
        assertEquals(Set.of(ONE), kernel.observe().get(0).active());
    }

    @Test
    void withdrawsWhenTheLastRealFails() {
        Config config = up(web(real(ONE, 100)));
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(), routes.wanted);
        assertEquals(Map.of(), kernel.observe().get(0).slots());
    }

    @Test
    void aPassWithoutNewsChangesNothing() {
        Config config = up(web(real(ONE, 100)));
        int installs = kernel.installs();
        step(config);
        later(Duration.ofSeconds(30));
        step(config);
        assertEquals(installs, kernel.installs());
    }

    @Test
    void aSuccessorTakesOverWithoutWithdrawingOrWriting() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        List<ObservedService> before = kernel.observe();
        int installs = kernel.installs();
        routes.calls.clear();
        probes.forget();
        reconciler = agent();
        step(config);
        assertEquals(before, kernel.observe());
        assertEquals(installs, kernel.installs());
        assertEquals(List.of(Set.of(VIP4, VIP6)), routes.calls);
    }

    @Test
    void aSuccessorDoesNotTakeADownRealForUp() {
        Config config = config(web(real(ONE, 100), real(TWO, 100)));
        step(config);
        probes.all(HealthState.UP);
        probes.set(VIP4, TWO, HealthState.DOWN);
        step(config);
        probes.forget();
        reconciler = agent();
        step(config);
        assertEquals(Set.of(ONE), kernel.observe().get(0).active());
    }

    @Test
    void whatWasTakenOverCanFail() {
        Config config = up(web(real(ONE, 100)));
        probes.forget();
        reconciler = agent();
        step(config);
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void repairsWhatSomebodyElseRemoved() {
        Config config = up(web(real(ONE, 100)));
        kernel.remove(ServiceKey.of(config.services().get(0)));
        later(Reconciler.OBSERVE_INTERVAL);
        step(config);
        assertEquals(1, kernel.observe().size());
    }

    @Test
    void removesAServiceOnlyAfterItsRoutesAreGoneAndTheHoldTimeIsOver() {
        up(web(real(ONE, 100)));
        Config empty = config();
        routes.lingering.add(VIP4);
        routes.lingering.add(VIP6);
        step(empty);
        later(Reconciler.REMOVAL_HOLD);
        step(empty);
        assertEquals(Set.of(), routes.wanted);
        assertEquals(1, kernel.observe().size(), "a router may still send");
        routes.lingering.clear();
        step(empty);
        later(Reconciler.REMOVAL_HOLD.minusMillis(1));
        step(empty);
        assertEquals(1, kernel.observe().size(), "the hold time is not over");
        later(Duration.ofMillis(1));
        step(empty);
        assertEquals(List.of(), kernel.observe());
    }

    @Test
    void aServiceThatIsRefusedIsTriedAgainLaterAndStopsNoOther() {
        Service other = web("other", 443, List.of(VIP6), new Quorum(1, false), real(TWO, 100));
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Config config = config(web, other);
        ServiceKey refused = ServiceKey.of(web).iterator().next();
        kernel.refuse(refused, "the map is full");
        step(config);
        probes.all(HealthState.UP);
        later(Duration.ofSeconds(1));
        Outcome outcome = step(config);
        assertEquals(Map.of("web", "the map is full"), outcome.failures());
        assertEquals(Set.of(VIP6), routes.wanted);
        kernel.refuse(refused, "");
        assertEquals(Set.of("web"), step(config).failures().keySet(), "it is not tried again at once");
        later(Duration.ofSeconds(2));
        assertEquals(Map.of(), step(config).failures());
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
    }

    @Test
    void aRealThatCannotBeReachedGetsNothing() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        kernel.unreachable(TWO, "no route to it");
        reconciler.step(config, true, now);
        assertEquals(Set.of(ONE), kernel.observe().get(0).active());
        Outcome outcome = step(config);
        assertTrue(outcome.health().unreachable().containsKey(TWO));
        assertTrue(outcome.health().up(new RealKey("web", ONE)));
    }

    @Test
    void everyRealHasAMarkOfItsOwn() {
        up(web(real(ONE, 100), real(TWO, 100)));
        assertEquals(Set.of(ONE, TWO), new HashSet<>(kernel.probes().values()));
        kernel.probes().forEach((mark, real) -> probes.targets.stream()
                .filter(target -> target.mark() == mark)
                .forEach(target -> assertTrue(target.id().endsWith(" " + real.getHostAddress()))));
        assertEquals(
                kernel.probes().keySet(),
                probes.targets.stream().map(ProbeTarget::mark).collect(Collectors.toSet()));
        assertEquals(4, probes.targets.size());
    }

    @Test
    void healthIsCarriedOverAChangeOfOtherThings() {
        up(web(real(ONE, 100), real(TWO, 100)));
        step(config(web(real(ONE, 100), real(TWO, 50))));
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
        assertEquals(Set.of(ONE, TWO), kernel.observe().get(0).active());
    }

    private Reconciler agent() {
        return new Reconciler(kernel, probes, routes, new Planner(new HashSeed(1, 2)));
    }

    private Config up(Service service) {
        Config config = config(service);
        step(config);
        probes.all(HealthState.UP);
        step(config);
        assertEquals(Set.copyOf(service.frontend().vips()), routes.wanted);
        return config;
    }

    private Outcome step(Config config) {
        return reconciler.step(config, false, now);
    }

    private void later(Duration duration) {
        now = now.plus(duration);
    }
}
