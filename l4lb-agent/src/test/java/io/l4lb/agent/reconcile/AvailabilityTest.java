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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.ObservedService;
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

/** What services do when their reals fail: panic, and the policies for all down. */
final class AvailabilityTest {
    private static final InetAddress SORRY = ip("10.0.9.9");

    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final FakeProbes probes = new FakeProbes();
    private final FakeRoutes routes = new FakeRoutes();
    private Reconciler reconciler = agent(HealthRecord.NONE);
    private Instant now = Instant.EPOCH;

    @Test
    void mostRealsFailingAtOnceAreNotBelieved() {
        Config config = up(AllDown.WITHDRAW);
        probes.all(HealthState.DOWN);
        Outcome outcome = step(config);
        assertEquals(Set.of(ONE, TWO, THREE), installed().active());
        assertEquals(Set.of(VIP4), routes.wanted);
        assertTrue(
                outcome.reals().freeze().services().values().stream()
                        .allMatch(words -> words.startsWith("frozen: 3 of 3 reals failed within 30s")),
                outcome.reals().freeze().toString());
        probes.all(HealthState.UP);
        assertEquals(Freeze.NONE, step(config).reals().freeze());
    }

    @Test
    void anOperatorWhoBelievesThemHasThemWithdrawn() {
        Config config = up(AllDown.WITHDRAW);
        probes.all(HealthState.DOWN);
        step(config);
        assertFalse(reconciler.acceptAll().isEmpty());
        step(config);
        assertEquals(Set.of(), routes.wanted);
        assertEquals(Set.of(), reconciler.acceptAll());
    }

    @Test
    void aFreezeOutlivesTheAgent() {
        Config config = up(AllDown.WITHDRAW);
        probes.all(HealthState.DOWN);
        HealthRecord left = HealthRecord.of(step(config));
        reconciler = agent(left);
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(ONE, TWO, THREE), installed().active());
    }

    @Test
    void aRealThatIsNewFollowsItsProbesEvenThen() {
        Config config = up(AllDown.WITHDRAW);
        probes.all(HealthState.DOWN);
        step(config);
        InetAddress fresh = ip("10.0.1.4");
        Config more =
                config(service(AllDown.WITHDRAW, real(ONE, 100), real(TWO, 100), real(THREE, 100), real(fresh, 100)));
        step(more);
        assertEquals(Set.of(ONE, TWO, THREE), installed().active());
        probes.set(VIP4, fresh, HealthState.UP);
        step(more);
        assertEquals(Set.of(ONE, TWO, THREE, fresh), installed().active());
    }

    @Test
    void withoutARealThatIsUpAServiceIsWithdrawn() {
        Config config = up(AllDown.WITHDRAW);
        allDownAndBelieved(config);
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void orAllItsRealsGoOn() {
        Config config = up(new AllDown(Policy.KEEP_ALL, Optional.empty()));
        allDownAndBelieved(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(ONE, TWO, THREE), installed().active());
        probes.set(VIP4, TWO, HealthState.UP);
        step(config);
        assertEquals(Set.of(TWO), installed().active());
    }

    @Test
    void orASorryRealTakesOver() {
        Config config = up(new AllDown(Policy.SORRY, Optional.of(new Real(SORRY, 100))));
        allDownAndBelieved(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(SORRY), installed().active());
        probes.set(VIP4, TWO, HealthState.UP);
        step(config);
        assertEquals(Set.of(TWO), installed().active());
    }

    @Test
    void whatWasNeverProbedIsNotDown() {
        Config config = config(service(new AllDown(Policy.SORRY, Optional.of(new Real(SORRY, 100))), reals()));
        step(config);
        assertEquals(Set.of(), routes.wanted);
    }

    @Test
    void healthThatAnEarlierAgentLeftIsBelievedUntilProbesSayOtherwise() {
        Config config = up(AllDown.WITHDRAW);
        probes.set(VIP4, ONE, HealthState.DOWN);
        HealthRecord left = HealthRecord.of(step(config));
        probes.forget();
        reconciler = agent(left);
        Outcome outcome = step(config);
        assertEquals(Set.of(TWO, THREE), installed().active());
        assertTrue(outcome.reals().health().values().stream().allMatch(health -> health.stale()));
    }

    private void allDownAndBelieved(Config config) {
        probes.all(HealthState.DOWN);
        step(config);
        reconciler.acceptAll();
        step(config);
    }

    private Config up(AllDown allDown) {
        Config config = config(service(allDown, reals()));
        step(config);
        probes.all(HealthState.UP);
        step(config);
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        return config;
    }

    private static Real[] reals() {
        return new Real[] {real(ONE, 100), real(TWO, 100), real(THREE, 100)};
    }

    private static Service service(AllDown allDown, Real... reals) {
        Service plain = web("web", 80, List.of(VIP4), new Quorum(1, false), reals);
        return new Service(
                plain.name(),
                plain.frontend(),
                plain.balancing(),
                new Availability(plain.quorum(), Panic.DEFAULT, allDown),
                plain.healthCheck(),
                plain.reals());
    }

    private Outcome step(Config config) {
        now = now.plus(Duration.ofSeconds(1));
        return reconciler.step(config, false, now);
    }

    private ObservedService installed() {
        return Objects.requireNonNull(kernel.observe().get(ServiceKey.of(web(), VIP4)));
    }

    private Reconciler agent(HealthRecord earlier) {
        return new Reconciler(kernel, probes, routes, new Planner(new SeededTables(new HashSeed(1, 2))), earlier);
    }
}
