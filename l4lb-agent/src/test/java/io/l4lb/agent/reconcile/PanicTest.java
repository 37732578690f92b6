// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outages of the path and of reals, as the probes of a director see them: every 2 s, 3 failures take a real down, 2 successes up. */
final class PanicTest {
    private static final InetAddress FOUR = ip("10.0.1.4");
    private static final InetAddress FIVE = ip("10.0.1.5");
    private static final ServiceKey KEY = ServiceKey.of(web(), VIP4);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String WORDS =
            "frozen: [34] of 4 reals failed within 30s, the last good set goes on; l4lb health accept web ends it";

    private final Config config = config(web(real(ONE, 1), real(TWO, 1), real(THREE, 1), real(FOUR, 1)));
    private Simulation director = new Simulation(config, 1);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anOutageOfThePathWithdrawsNothing(long seed) {
        director = new Simulation(config, seed);
        up();
        director.path = false;
        Outcome outcome = director.run(Duration.ofMinutes(10));
        assertEquals(Set.of(ONE, TWO, THREE, FOUR), director.active(KEY));
        assertTrue(words(outcome).matches(WORDS), words(outcome));
        RealKey one = new RealKey(KEY, ONE);
        assertEquals(HealthState.DOWN, outcome.reals().state(one), "what probes say is shown");
        assertEquals("no answer within 1s", outcome.reals().reason(one));
        assertTrue(outcome.reals().up(one));
        director.path = true;
        outcome = director.run(SOON);
        assertEquals(Freeze.NONE, outcome.reals().freeze());
        assertEquals(Set.of(ONE, TWO, THREE, FOUR), director.active(KEY));
        assertEquals(List.of(), director.routes.calls);
    }

    @Test
    void anotherOutageIsTakenAsTheFirstOne() {
        up();
        for (int i = 0; i < 3; i++) {
            director.path = false;
            assertEquals(Set.of(KEY, key(VIP6)), frozen(director.run(SOON)));
            director.path = true;
            assertEquals(Set.of(), frozen(director.run(SOON)));
        }
        assertEquals(List.of(), director.routes.calls);
    }

    @Test
    void halfOfTheRealsMayFail() {
        up();
        director.dead.addAll(Set.of(ONE, TWO));
        Outcome outcome = director.run(SOON);
        assertEquals(Set.of(), frozen(outcome));
        assertEquals(Set.of(THREE, FOUR), director.active(KEY));
    }

    @Test
    void realsThatFailOneAfterTheOtherAreAllBelieved() {
        up();
        for (InetAddress real : List.of(ONE, TWO, THREE, FOUR)) {
            director.dead.add(real);
            assertEquals(Set.of(), frozen(director.run(Duration.ofMinutes(2))));
        }
        assertEquals(Set.of(), director.routes.wanted);
    }

    @Test
    void twoRealsAreTooFewToDoubtThem() {
        director = new Simulation(config(web(real(ONE, 1), real(TWO, 1))), 1);
        up();
        director.path = false;
        assertEquals(Set.of(), frozen(director.run(SOON)));
        assertEquals(Set.of(), director.routes.wanted);
    }

    @Test
    void aDirectorThatStartsWithoutAPathHasNothingToHold() {
        director.path = false;
        assertEquals(Set.of(), frozen(director.run(SOON)));
        assertEquals(Set.of(), director.routes.wanted);
    }

    @Test
    void aRealThatWasDownBeforeStaysOut() {
        up();
        director.dead.add(FOUR);
        director.run(Duration.ofMinutes(2));
        director.path = false;
        Outcome outcome = director.run(SOON);
        assertEquals(Set.of(KEY, key(VIP6)), frozen(outcome));
        assertEquals(Set.of(ONE, TWO, THREE), director.active(KEY));
        director.path = true;
        director.run(SOON);
        assertEquals(Set.of(ONE, TWO, THREE), director.active(KEY));
    }

    @Test
    void aReloadKeepsTheFreezeAndTakesOutWhatIsRemoved() {
        up();
        director.path = false;
        director.run(SOON);
        director.reload(config(web(real(ONE, 1), real(TWO, 1), real(THREE, 9), real(FIVE, 1))));
        Outcome outcome = director.run(SOON);
        assertTrue(words(outcome).matches(WORDS), words(outcome));
        assertEquals(Set.of(ONE, TWO, THREE), director.active(KEY), "the new one is down, and never was up");
        director.path = true;
        director.run(SOON);
        assertEquals(Set.of(ONE, TWO, THREE, FIVE), director.active(KEY));
    }

    @Test
    void whatAnOperatorAcceptsHoldsAtOnce() {
        up();
        director.path = false;
        director.run(SOON);
        Set<ServiceKey> both = Set.of(KEY, key(VIP6));
        assertEquals(both, director.reconciler().accept(both));
        assertEquals(Set.of(), frozen(director.run(Duration.ofMillis(100))));
        assertEquals(Set.of(), director.routes.wanted);
        assertEquals(Set.of(), director.reconciler().accept(both), "it was so already");
        assertEquals(Set.of(), frozen(director.run(Duration.ofMinutes(2))));
        director.path = true;
        director.run(SOON);
        assertEquals(Set.of(VIP4, VIP6), director.routes.wanted);
        director.path = false;
        assertEquals(both, frozen(director.run(SOON)), "the rule holds again");
    }

    @Test
    void itOutlivesTheAgent() {
        up();
        director.path = false;
        Outcome before = director.run(SOON);
        int installs = director.kernel.installs();
        director.restart();
        Outcome after = director.run(SOON);
        assertEquals(before.reals().freeze(), after.reals().freeze());
        assertEquals(Set.of(ONE, TWO, THREE, FOUR), director.active(KEY));
        assertEquals(installs, director.kernel.installs());
        director.path = true;
        assertEquals(Freeze.NONE, director.run(SOON).reals().freeze());
        assertEquals(List.of(Set.of(VIP4, VIP6)), director.routes.calls, "said once, by the successor");
    }

    @Test
    void anAgentThatStartsWhileThePathIsOutHoldsWhatItHasAdopted() {
        up();
        director.path = false;
        director.restart();
        assertEquals(Set.of(KEY, key(VIP6)), frozen(director.run(SOON)));
        assertEquals(List.of(Set.of(VIP4, VIP6)), director.routes.calls, "said once, by the successor");
    }

    /** Each of which is too small for a rule of its own. */
    @Test
    void allServicesTogetherHaveARuleToo() {
        Config many = config(small("a", 1, ONE), small("b", 2, TWO), small("c", 3, THREE));
        director = new Simulation(many, 1);
        up();
        director.path = false;
        Outcome outcome = director.run(SOON);
        List<ServiceKey> keys = many.services().stream()
                .flatMap(service -> ServiceKey.allOf(service).stream())
                .toList();
        assertEquals(Set.copyOf(keys), frozen(outcome));
        assertEquals(
                List.of("all services are frozen: 2 of 3 reals failed within 30s, the last good sets go on;"
                        + " l4lb health accept --all ends it"),
                outcome.failures().general());
        assertEquals(List.of(), director.routes.calls);
        director.reconciler().accept(Set.of(keys.get(0)));
        director.run(SOON);
        assertEquals(Set.of(), director.active(keys.get(0)));
        assertEquals(Set.of(TWO), director.active(keys.get(1)));
        assertEquals(Set.copyOf(keys.subList(1, 3)), director.reconciler().acceptAll());
        director.run(SOON);
        assertEquals(Set.of(), director.routes.wanted);
    }

    @Test
    void whenAllServicesRecoverNoneIsFrozen() {
        director = new Simulation(config(small("a", 1, ONE), small("b", 2, TWO), small("c", 3, THREE)), 1);
        up();
        director.path = false;
        director.run(SOON);
        director.path = true;
        assertEquals(Freeze.NONE, director.run(SOON).reals().freeze());
        assertEquals(List.of(), director.routes.calls);
    }

    /** It has probes by many VIPs and ports, all of which fail with it. */
    @Test
    void oneServerOfManyServicesCountsOnce() {
        director = new Simulation(config(small("a", 1, ONE), small("b", 2, ONE), small("c", 3, ONE)), 1);
        up();
        director.dead.add(ONE);
        assertEquals(Set.of(), frozen(director.run(SOON)));
        assertEquals(Set.of(), director.routes.wanted);
    }

    @Test
    void aRealToWhichThereIsNoRouteIsNotHeld() {
        up();
        director.path = false;
        director.run(SOON);
        director.kernel.unreachable(ONE, "no route to it");
        director.reload(
                config(web(real(ONE, 1), real(TWO, 1), real(THREE, 1), real(FOUR, 2)))); // which asks for routes
        director.run(SOON);
        assertEquals(Set.of(TWO, THREE, FOUR), director.active(KEY));
    }

    /** All reals are up, and what was announced on the way there is forgotten. */
    private void up() {
        director.run(SOON);
        assertEquals(director.vips(), director.routes.wanted);
        director.routes.calls.clear();
    }

    private static Service small(String name, int port, InetAddress real) {
        return web(name, port, List.of(VIP4), new Quorum(1, false), real(real, 1));
    }

    private static ServiceKey key(InetAddress vip) {
        return ServiceKey.of(web(), vip);
    }

    private static String words(Outcome outcome) {
        return outcome.reals().freeze().services().getOrDefault(KEY, "");
    }

    private static Collection<ServiceKey> frozen(Outcome outcome) {
        Map<ServiceKey, String> services = outcome.reals().freeze().services();
        return services.keySet();
    }
}
