// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Availability;
import io.l4lb.agent.model.Availability.AllDown;
import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.agent.model.Availability.Policy;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a service does of whose reals none is up, and one whose reals were all exchanged. */
final class AllDownTest {
    private static final InetAddress SORRY = ip("10.0.9.9");
    private static final AllDown KEEP_ALL = new AllDown(Policy.KEEP_ALL, Optional.empty());
    private static final AllDown TO_SORRY = new AllDown(Policy.SORRY, Optional.of(real(SORRY, 100)));

    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final FakeProbes probes = new FakeProbes();
    private final FakeRoutes routes = new FakeRoutes();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Reconciler reconciler = agent();

    @Test
    void keepAllSendsPacketsToAllUntilOneIsUp() {
        Config config = config(service(KEEP_ALL, real(ONE, 100), real(TWO, 50), real(THREE, 0)));
        up(config);
        probes.all(HealthState.DOWN);
        Outcome outcome = step(config);
        assertEquals(Set.of(ONE, TWO), active());
        assertEquals(Set.of(VIP4), routes.wanted);
        assertTrue(outcome.desired().get(0).fallback());
        assertEquals(0, outcome.desired().get(0).healthy());
        probes.set(VIP4, TWO, HealthState.UP);
        assertTrue(!step(config).desired().get(0).fallback());
        assertEquals(Set.of(TWO), active());
        assertEquals(List.of(Set.of(), Set.of(VIP4)), routes.calls);
    }

    @Test
    void whatIsNotKnownYetIsNotDown() {
        for (AllDown allDown : List.of(KEEP_ALL, TO_SORRY)) {
            Config config = config(service(allDown, real(ONE, 100), real(TWO, 50)));
            step(config);
            assertEquals(Set.of(), routes.wanted);
            probes.all(HealthState.UNKNOWN);
            probes.set(VIP4, ONE, HealthState.DOWN);
            assertTrue(!step(config).desired().get(0).fallback());
            assertEquals(Set.of(), routes.wanted);
        }
        probes.all(HealthState.DOWN);
        step(config(service(KEEP_ALL, real(ONE, 100), real(TWO, 50))));
        assertEquals(Set.of(VIP4), routes.wanted, "by now it is");
    }

    @Test
    void theSorryRealGetsAllPacketsUntilOneIsUp() {
        Config config = config(service(TO_SORRY, real(ONE, 100), real(TWO, 50)));
        assertEquals(Set.of(ONE, TWO, SORRY), config.reals());
        up(config);
        assertEquals(Set.of(ONE, TWO), active());
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(SORRY), active());
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(2, probes.targets.size(), "it is not probed");
        probes.set(VIP4, ONE, HealthState.UP);
        step(config);
        assertEquals(Set.of(ONE), active());
    }

    @Test
    void aSorryRealThatCannotBeReachedIsOfNoUse() {
        Config config = config(service(TO_SORRY, real(ONE, 100)));
        up(config);
        kernel.unreachable(SORRY, "no route to it");
        probes.all(HealthState.DOWN);
        reconciler.step(config, true, now);
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void realsThatCannotBeReachedAreNotKept() {
        Config config = config(service(KEEP_ALL, real(ONE, 100), real(TWO, 50)));
        up(config);
        kernel.unreachable(ONE, "no route to it");
        probes.all(HealthState.DOWN);
        reconciler.step(config, true, now);
        assertEquals(Set.of(TWO), active());
        kernel.unreachable(TWO, "no route to it");
        reconciler.step(config, true, now);
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void aRealInMaintenanceGetsNothingHoweverDownTheOthersAre() {
        Real away = new Real(ONE, 100, Optional.empty(), true, Real.CheckAt.ITSELF);
        Config config = config(service(KEEP_ALL, away, real(TWO, 50)));
        up(config);
        assertEquals(Set.of(TWO), active());
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(TWO), active());
    }

    @Test
    void aSuccessorKeepsThemTooAtOnce() {
        Config config = config(service(KEEP_ALL, real(ONE, 100), real(TWO, 50)));
        up(config);
        probes.all(HealthState.DOWN);
        HealthRecord record = HealthRecord.of(step(config));
        probes.forget();
        routes.calls.clear();
        reconciler = agent(record);
        assertTrue(step(config).desired().get(0).fallback());
        assertEquals(Set.of(ONE, TWO), active());
        assertEquals(List.of(Set.of(VIP4)), routes.calls);
    }

    @Test
    void oldRealsGoOnUntilTheFirstVerdictsOnNewOnes() {
        up(config(service(AllDown.WITHDRAW, real(ONE, 100))));
        Config next = config(service(AllDown.WITHDRAW, real(TWO, 100), real(THREE, 100)));
        routes.calls.clear();
        Outcome outcome = step(next);
        assertEquals(Set.of(ONE), active());
        assertEquals(
                Set.of(Handover.WORDS), Set.copyOf(outcome.failures().services().values()));
        probes.set(VIP4, TWO, HealthState.UP);
        step(next);
        assertEquals(Set.of(ONE), active(), "one of them is still to come");
        probes.set(VIP4, THREE, HealthState.UP);
        outcome = step(next);
        assertEquals(Set.of(TWO, THREE), active());
        assertEquals(List.of(), routes.calls);
        assertEquals(Set.of(), outcome.failures().services().keySet());
    }

    @Test
    void newRealsThatAreDownAreBelieved() {
        up(config(service(AllDown.WITHDRAW, real(ONE, 100))));
        Config next = config(service(AllDown.WITHDRAW, real(TWO, 100)));
        step(next);
        probes.all(HealthState.DOWN);
        step(next);
        assertEquals(Set.of(), active());
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void oldRealsDoNotGoOnForEver() {
        up(config(service(AllDown.WITHDRAW, real(ONE, 100))));
        Config next = config(service(AllDown.WITHDRAW, real(TWO, 100)));
        step(next);
        now = now.plus(Duration.ofSeconds(7)).minusMillis(1); // three intervals and a timeout
        step(next);
        assertEquals(Set.of(VIP4), routes.wanted);
        now = now.plusMillis(1);
        step(next);
        assertEquals(Set.of(), routes.wanted);
    }

    private Reconciler agent() {
        return agent(HealthRecord.NONE);
    }

    private Reconciler agent(HealthRecord earlier) {
        return new Reconciler(kernel, probes, routes, new Planner(new SeededTables(new HashSeed(1, 2))), earlier);
    }

    private void up(Config config) {
        step(config);
        probes.all(HealthState.UP);
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
    }

    private Outcome step(Config config) {
        return reconciler.step(config, false, now);
    }

    private Set<InetAddress> active() {
        return Objects.requireNonNull(kernel.observe().get(ServiceKey.of(web(), VIP4)))
                .active();
    }

    private static Service service(AllDown allDown, Real... reals) {
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), reals);
        Availability availability = new Availability(web.quorum(), Panic.DEFAULT, allDown);
        return new Service(web.name(), web.frontend(), web.balancing(), availability, web.healthCheck(), web.reals());
    }
}
