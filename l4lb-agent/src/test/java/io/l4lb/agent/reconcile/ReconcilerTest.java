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
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Passes, on a clock of the test. Long, since all of them share one director: its dataplane, probes and routes. */
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
        assertEquals(Set.of(ONE, TWO), installed().active());
    }

    @Test
    void troubleWithOneVipStaysWithIt() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        probes.set(VIP6, TWO, HealthState.DOWN);
        step(config);
        assertEquals(Set.of(ONE, TWO), installed().active());
        assertEquals(Set.of(ONE), installed(VIP6).active());
        probes.set(VIP6, ONE, HealthState.DOWN);
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(ONE, TWO), installed().active());
    }

    @Test
    void aVipThatIsAddedAndARenamedServiceLeaveTheOthersAlone() {
        up(web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100)));
        int installs = kernel.installs();
        step(config(web("edge", 80, List.of(VIP4, VIP6), new Quorum(1, false), real(ONE, 100))));
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(ONE), installed().active());
        assertEquals(Set.of(), installed(VIP6).active());
        assertEquals(installs + 1, kernel.installs());
    }

    @Test
    void aVipThatMovesToAnotherServiceKeepsServing() {
        up(web(real(ONE, 100)));
        Service four = web("four", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Service six = web("six", 80, List.of(VIP6), new Quorum(1, false), real(ONE, 100), real(TWO, 100));
        routes.calls.clear();
        Config split = config(four, six);
        step(split);
        step(split);
        assertEquals(List.of(), routes.calls);
        assertEquals(Set.of(ONE), installed(VIP6).active());
        int installs = kernel.installs();
        probes.all(HealthState.UP);
        step(split);
        step(split);
        assertEquals(installs + 1, kernel.installs());
        assertEquals(Set.of(ONE, TWO), installed(VIP6).active());
    }

    @Test
    void afterAnOutageAVipIsAnnouncedWhenAllRealsAreBackOrHadTheTime() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(), routes.wanted);
        probes.set(VIP4, ONE, HealthState.UP);
        probes.set(VIP6, ONE, HealthState.UP);
        step(config);
        assertEquals(Set.of(), routes.wanted, "the other real may be about to come back");
        probes.set(VIP4, TWO, HealthState.UP);
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        later(Duration.ofSeconds(7).minusMillis(1));
        step(config);
        assertEquals(Set.of(VIP4), routes.wanted);
        later(Duration.ofMillis(1));
        step(config);
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
    }

    @Test
    void aSuccessorKeepsADrainedServiceAnnounced() {
        up(web(real(ONE, 100)));
        Config drained = config(web(real(ONE, 0)));
        step(drained);
        routes.calls.clear();
        probes.forget();
        reconciler = agent();
        step(drained);
        assertEquals(List.of(Set.of(VIP4, VIP6)), routes.calls);
    }

    @Test
    void aBrokenFileAtTheStartTakesNothingDown() {
        up(web(real(ONE, 100)));
        probes.forget();
        routes.calls.clear();
        reconciler = agent();
        Config broken = incomplete(config());
        for (int i = 0; i < 3; i++) {
            step(broken);
            later(Reconciler.OBSERVE_INTERVAL);
        }
        assertEquals(List.of(Set.of(VIP4, VIP6)), routes.calls);
        assertEquals(2, kernel.observe().size());
        step(config());
        later(Reconciler.REMOVAL_HOLD);
        step(config());
        assertEquals(Set.of(), routes.wanted);
        assertEquals(Map.of(), kernel.observe());
    }

    @Test
    void nothingIsAnnouncedWhileTheProgramsAreNotAttached() {
        Config config = up(web(real(ONE, 100)));
        kernel.detach("eth0 is gone");
        Outcome outcome = step(config);
        assertEquals(List.of("eth0 is gone"), outcome.failures().general());
        assertEquals(Set.of(), routes.wanted);
        kernel.detach("");
        step(config);
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
    }

    @Test
    void whenRoutesCannotBeReadHealthIsStillActedUpon() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        kernel.blind("no netlink");
        probes.set(VIP4, TWO, HealthState.DOWN);
        Outcome outcome = reconciler.step(config, true, now);
        assertEquals(List.of("no netlink"), outcome.failures().general());
        assertEquals(Set.of(ONE), installed().active());
        kernel.blind("");
        assertEquals(List.of(), step(config).failures().general());
    }

    @Test
    void manyInstallsAreSpreadOverPasses() {
        Service[] services = new Service[40];
        for (int i = 0; i < services.length; i++) {
            services[i] = web("web" + i, 1000 + i, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        }
        Config config = config(services);
        step(config);
        assertEquals(16, kernel.installs());
        assertEquals(now, reconciler.deadline(now));
        step(config);
        step(config);
        assertEquals(40, kernel.installs());
        assertEquals(now.plusSeconds(1), reconciler.deadline(now));
    }

    @Test
    void withdrawsWhenTheLastRealFails() {
        Config config = up(web(real(ONE, 100)));
        probes.all(HealthState.DOWN);
        step(config);
        assertEquals(Set.of(), routes.wanted);
        assertEquals(Map.of(), installed().slots());
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
        assertTakenOver(untouched -> {});
    }

    @Test
    void aSuccessorThatLostItsStateTakesOverAsWell() {
        assertTakenOver(kernel::forget);
    }

    /** @param meanwhile what happens with each service between the agents */
    private void assertTakenOver(Consumer<ServiceKey> meanwhile) {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        Map<ServiceKey, ObservedService> before = kernel.observe();
        ServiceKey.allOf(config.services().get(0)).forEach(meanwhile);
        int installs = kernel.installs();
        routes.calls.clear();
        probes.forget();
        reconciler = agent();
        step(config);
        assertEquals(before, kernel.observe());
        assertEquals(installs, kernel.installs());
        assertEquals(List.of(Set.of(VIP4, VIP6)), routes.calls);
    }

    /** Its reals that get traffic are up until probes say otherwise. */
    @Test
    void aServiceThatIsThereAlreadyIsAdoptedWhenItIsConfigured() {
        Service other = web("other", 443, List.of(VIP4), new Quorum(1, false), real(TWO, 100));
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        up(config(web, other));
        kernel.forget(ServiceKey.of(other, VIP4));
        later(Reconciler.OBSERVE_INTERVAL);
        step(config(web));
        probes.all(HealthState.UP);
        step(config(web, other));
        assertEquals(
                Set.of(TWO),
                Objects.requireNonNull(kernel.observe().get(ServiceKey.of(other, VIP4)))
                        .active());
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
        assertEquals(Set.of(ONE), installed().active());
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
        routes.calls.clear();
        kernel.remove(Set.copyOf(ServiceKey.allOf(config.services().get(0))));
        later(Reconciler.OBSERVE_INTERVAL);
        step(config);
        assertEquals(2, kernel.observe().size());
        assertEquals(List.of(), routes.calls, "put back before routers hear of it");
    }

    @Test
    void withdrawsWhatSomebodyElseRemovedAndCannotBePutBack() {
        Config config = up(web(real(ONE, 100)));
        ServiceKey lost = ServiceKey.of(config.services().get(0), VIP4);
        kernel.remove(Set.of(lost));
        kernel.refuse(lost, "the map is full");
        later(Reconciler.OBSERVE_INTERVAL);
        step(config);
        assertEquals(Set.of(VIP6), routes.wanted);
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
        assertEquals(2, kernel.observe().size(), "a router may still send");
        routes.lingering.clear();
        step(empty);
        later(Reconciler.REMOVAL_HOLD.minusMillis(1));
        step(empty);
        assertEquals(2, kernel.observe().size(), "the hold time is not over");
        later(Duration.ofMillis(1));
        step(empty);
        assertEquals(Map.of(), kernel.observe());
    }

    @Test
    void aServiceGoesAtOnceIfItsVipGoesOnForOthers() {
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Service rest = web("rest", 443, List.of(VIP4), new Quorum(1, false), real(TWO, 100));
        up(config(web, rest));
        step(config(rest));
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(Set.of(ServiceKey.of(rest, VIP4)), kernel.observe().keySet());
    }

    @Test
    void aServiceStaysForTheHoldTimeIfWhatTakesItsPlaceIsRefused() {
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Service other = web("other", 443, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Service fresh = web("fresh", 8080, List.of(VIP4), new Quorum(1, false), real(TWO, 100));
        up(config(web, other));
        kernel.refuse(ServiceKey.of(fresh, VIP4), "the map is full");
        step(config(fresh, other));
        assertEquals(Set.of(VIP4), routes.wanted);
        assertEquals(2, kernel.observe().size(), "the hold time is not over");
        later(Reconciler.REMOVAL_HOLD);
        step(config(fresh, other));
        assertEquals(Set.of(ServiceKey.of(other, VIP4)), kernel.observe().keySet());
    }

    @Test
    void aServiceThatIsRefusedIsTriedAgainLaterAndStopsNoOther() {
        Service other = web("other", 443, List.of(VIP6), new Quorum(1, false), real(TWO, 100));
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Config config = config(web, other);
        ServiceKey refused = ServiceKey.of(web, VIP4);
        kernel.refuse(refused, "the map is full");
        step(config);
        probes.all(HealthState.UP);
        later(Duration.ofSeconds(1));
        Outcome outcome = step(config);
        assertEquals(Map.of(refused, "the map is full"), outcome.failures().services());
        assertEquals(Set.of(VIP6), routes.wanted);
        kernel.refuse(refused, "");
        assertEquals(Set.of(refused), step(config).failures().services().keySet(), "it is not tried again at once");
        later(Duration.ofSeconds(2));
        assertEquals(Map.of(), step(config).failures().services());
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
    }

    @Test
    void aRealThatCannotBeReachedGetsNothing() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        kernel.unreachable(TWO, "no route to it");
        reconciler.step(config, true, now);
        assertEquals(Set.of(ONE), installed().active());
        Outcome outcome = step(config);
        assertTrue(outcome.reals().unreachable().containsKey(TWO));
        assertTrue(outcome.reals().up(new RealKey(ServiceKey.of(web(), VIP4), ONE)));
        kernel.unreachable(VIP6, "the route leaves elsewhere");
        reconciler.step(config, true, now);
        assertEquals(Set.of(VIP4), routes.wanted);
    }

    @Test
    void everyRealHasAMarkOfItsOwn() {
        up(web(real(ONE, 100), real(TWO, 100)));
        assertEquals(
                Set.of(new ProbePath(ONE, Forwarding.IPIP), new ProbePath(TWO, Forwarding.IPIP)),
                new HashSet<>(kernel.probes().values()));
        kernel.probes().forEach((mark, path) -> probes.targets.stream()
                .filter(target -> target.probe().route().mark() == mark)
                .forEach(target ->
                        assertTrue(target.id().endsWith(" " + path.real().getHostAddress()))));
        assertEquals(
                kernel.probes().keySet(),
                probes.targets.stream()
                        .map(target -> target.probe().route().mark())
                        .collect(Collectors.toSet()));
        assertEquals(4, probes.targets.size());
    }

    @Test
    void healthIsCarriedOverAChangeOfOtherThings() {
        up(web(real(ONE, 100), real(TWO, 100)));
        step(config(web(real(ONE, 100), real(TWO, 50))));
        assertEquals(Set.of(VIP4, VIP6), routes.wanted);
        assertEquals(Set.of(ONE, TWO), installed().active());
    }

    @Test
    void whatSomebodyTookOutIsPutBackAtOnce() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        int installs = kernel.installs();
        kernel.remove(kernel.observe().keySet());
        step(config);
        assertEquals(installs, kernel.installs(), "nobody has said so yet");
        kernel.disturb(Set.of());
        routes.calls.clear();
        step(config);
        assertEquals(installs + 2, kernel.installs());
        assertEquals(List.of(), routes.calls);
    }

    @Test
    void aMarkThatSomebodyElseTookIsGivenUp() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        Map<Integer, ProbePath> before = kernel.probes();
        int taken = before.keySet().iterator().next();
        kernel.disturb(Set.of(taken));
        step(config);
        assertEquals(Set.copyOf(before.values()), Set.copyOf(kernel.probes().values()));
        assertTrue(!kernel.probes().containsKey(taken));
        assertEquals(
                kernel.probes().keySet(),
                probes.targets.stream()
                        .map(target -> target.probe().route().mark())
                        .collect(Collectors.toSet()));
    }

    private Reconciler agent() {
        return new Reconciler(kernel, probes, routes, new Planner(new SeededTables(new HashSeed(1, 2))));
    }

    private Config up(Service service) {
        Config config = up(config(service));
        assertEquals(Set.copyOf(service.frontend().vips()), routes.wanted);
        return config;
    }

    private Config up(Config config) {
        step(config);
        probes.all(HealthState.UP);
        step(config);
        return config;
    }

    private ObservedService installed() {
        return installed(VIP4);
    }

    private ObservedService installed(InetAddress vip) {
        return Objects.requireNonNull(kernel.observe().get(ServiceKey.of(web(), vip)));
    }

    private static Config incomplete(Config config) {
        return new Config(config.agent(), config.xdp(), config.bgp(), config.services(), config.serviceFiles(), false);
    }

    private Outcome step(Config config) {
        return reconciler.step(config, false, now);
    }

    private void later(Duration duration) {
        now = now.plus(duration);
    }

    @Test
    void whatStandsInTheWayOfAllPacketsIsAProblemUntilItIsMended() {
        Config config = up(web(real(ONE, 100), real(TWO, 100)));
        kernel.obstacle(false, "not of these reals");
        kernel.obstacle(true, "a switch is off");
        assertEquals(List.of(), step(config).failures().general());
        for (int i = 0; i < 2; i++) {
            Outcome outcome = reconciler.step(config, i == 0, now);
            assertEquals(List.of("a switch is off"), outcome.failures().general());
        }
        kernel.obstacle(true, "");
        assertEquals(List.of(), reconciler.step(config, true, now).failures().general());
    }
}
