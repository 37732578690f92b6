// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class PlannerTest {
    private static final ServerId FIRST = ServerId.ofHex("0001");
    private static final ServerId SECOND = ServerId.ofHex("0002");

    private final Planner planner = new Planner(new SeededTables(new HashSeed(1, 2)));
    private final InMemoryDataplane kernel = new InMemoryDataplane();

    @Test
    void aRealThatIsDownHasNoSlotsAndKeepsNoFlows() {
        DesiredService desired = desired(web(real(ONE, 100), real(TWO, 100)), without(TWO));
        assertEquals(Set.of(ONE), desired.program().active());
        assertEquals(
                List.of(251, 0),
                List.of(
                        desired.program().table().slotsPerReal()[0],
                        desired.program().table().slotsPerReal()[1]));
        assertEquals(1, desired.healthy());
    }

    @Test
    void aRealOfWeightZeroHasNoSlotsButKeepsItsFlows() {
        DesiredService desired = desired(web(real(ONE, 100), real(TWO, 0)), key -> true);
        assertEquals(Set.of(ONE, TWO), desired.program().active());
        assertEquals(251, desired.program().table().slotsPerReal()[0]);
        assertEquals(1, desired.healthy());
    }

    @Test
    void theSameRealsGiveTheSameTableWithoutBuildingItAgain() {
        Service service = web(real(ONE, 100), real(TWO, 100));
        DesiredService first = desired(service, key -> true);
        assertSame(
                first.program().table(), desired(service, key -> true).program().table());
        desired(service, without(ONE));
        assertEquals(
                first.program().table(), desired(service, key -> true).program().table());
    }

    @Test
    void serverIdsNameTheRealsThatAreUp() {
        Service quic = Samples.quic(
                new Real(ONE, 100, Optional.of(FIRST)), new Real(TWO, 0, Optional.of(SECOND)), real(THREE, 100));
        PacketKey all = desired(quic, key -> true).program().packetKey();
        assertEquals(HashKey.QUIC_CID, all.hashKey());
        assertEquals(quic.balancing().connectionIds(), all.layout());
        assertEquals(Map.of(FIRST, ONE, SECOND, TWO), all.servers());
        assertEquals(
                Map.of(SECOND, TWO),
                desired(quic, without(ONE)).program().packetKey().servers());
        assertEquals(
                PacketKey.FIVE_TUPLE,
                desired(web(real(ONE, 1)), key -> true).program().packetKey());
    }

    @Test
    void anotherHashKeyOrServerIdIsInstalled() {
        Service before = Samples.quic(new Real(ONE, 100, Optional.of(FIRST)));
        DesiredService installed = desired(before, key -> true);
        kernel.install(installed.program());
        assertEquals(
                List.of(),
                Planner.plan(List.of(installed), kernel.observe(), Set.of(), Set.of())
                        .installs());
        Service moved = Samples.quic(new Real(ONE, 100, Optional.of(SECOND)));
        List<DesiredService> desired = List.of(desired(moved, key -> true));
        assertEquals(
                desired,
                Planner.plan(desired, kernel.observe(), Set.of(), Set.of()).installs());
    }

    @Test
    void tablesDoNotDependOnTheOrderOfReals() {
        assertEquals(
                desired(web(real(ONE, 100), real(TWO, 50)), key -> true)
                        .program()
                        .table(),
                desired(web(real(TWO, 50), real(ONE, 100)), key -> true)
                        .program()
                        .table());
    }

    @Test
    void aNewServiceIsInstalledButNotAnnouncedBeforeItWasReadBack() {
        List<DesiredService> desired = planner.desired(List.of(web(real(ONE, 100))), key -> true);
        Plan before = Planner.plan(desired, kernel.observe(), Set.of(), Set.of());
        assertEquals(desired, before.installs());
        assertEquals(Set.of(), before.announce());
        desired.forEach(service -> kernel.install(service.program()));
        Plan after = Planner.plan(desired, kernel.observe(), Set.of(), Set.of());
        assertEquals(List.of(), after.installs());
        assertEquals(Set.of(VIP4, VIP6), after.announce());
    }

    @Test
    void withoutAHealthyRealNothingIsAnnounced() {
        List<DesiredService> desired = List.of(desired(web(real(ONE, 100)), key -> false));
        kernel.install(desired.get(0).program());
        assertEquals(
                Set.of(),
                Planner.plan(desired, kernel.observe(), Set.of(VIP4), Set.of()).announce());
    }

    @Test
    void aVipThatIsAnnouncedStaysSoWhileAChangeIsStillToBeInstalled() {
        kernel.install(desired(web(real(ONE, 100)), key -> true).program());
        List<DesiredService> changed = planner.desired(List.of(web(real(ONE, 100), real(TWO, 100))), key -> true);
        Plan plan = Planner.plan(changed, kernel.observe(), Set.of(VIP4, VIP6), Set.of());
        assertEquals(changed, plan.installs());
        assertEquals(Set.of(VIP4), plan.announce());
    }

    @Test
    void aVipOfTwoServicesIsAnnouncedWhileOneOfThemServes() {
        Service other = web("other", 443, List.of(VIP4), new Quorum(1, false), real(THREE, 100));
        List<DesiredService> desired = planner.desired(List.of(web(real(ONE, 100)), other), without(ONE));
        desired.forEach(service -> kernel.install(service.program()));
        assertEquals(
                Set.of(VIP4),
                Planner.plan(desired, kernel.observe(), Set.of(), Set.of()).announce());
    }

    @Test
    void keysThatNobodyWantsAreRemoved() {
        planner.desired(List.of(web(real(ONE, 100))), key -> true)
                .forEach(service -> kernel.install(service.program()));
        Service fewer = web("web", 80, List.of(VIP4), new Quorum(1, false), real(ONE, 100));
        Plan plan = Planner.plan(List.of(desired(fewer, key -> true)), kernel.observe(), Set.of(VIP4, VIP6), Set.of());
        assertEquals(Set.of(VIP4), plan.announce());
        assertEquals(Set.of(ServiceKey.of(web(), VIP6)), plan.removals());
        assertEquals(List.of(), plan.installs());
    }

    @Test
    void everyVipStandsForItself() {
        ServiceKey six = ServiceKey.of(web(), VIP6);
        List<DesiredService> desired = planner.desired(
                List.of(web(real(ONE, 100), real(TWO, 100))), key -> !key.equals(new RealKey(six, TWO)));
        assertEquals(Set.of(ONE, TWO), desired.get(0).program().active());
        assertEquals(Set.of(ONE), desired.get(1).program().active());
    }

    @Test
    void aNewVipWaitsUntilAllItsRealsAreInOrHadTheTime() {
        List<DesiredService> part = planner.desired(List.of(web(real(ONE, 100), real(TWO, 100))), without(TWO));
        part.forEach(service -> kernel.install(service.program()));
        assertEquals(
                Set.of(),
                Planner.plan(part, kernel.observe(), Set.of(), Set.of()).announce());
        assertEquals(
                Set.of(VIP6),
                Planner.plan(part, kernel.observe(), Set.of(), Set.of(ServiceKey.of(web(), VIP6)))
                        .announce());
        assertEquals(
                Set.of(VIP4, VIP6),
                Planner.plan(part, kernel.observe(), Set.of(VIP4, VIP6), Set.of())
                        .announce());
    }

    @Test
    void whenAllWeightsAreZeroAnAnnouncedVipStaysForTheFlowsThatLive() {
        List<DesiredService> drained = planner.desired(List.of(web(real(ONE, 0))), key -> true);
        drained.forEach(service -> kernel.install(service.program()));
        assertEquals(
                Set.of(VIP4),
                Planner.plan(drained, kernel.observe(), Set.of(VIP4), Set.of()).announce());
        List<DesiredService> dead = planner.desired(List.of(web(real(ONE, 0))), key -> false);
        assertEquals(
                Set.of(),
                Planner.plan(dead, kernel.observe(), Set.of(VIP4), Set.of()).announce());
    }

    @Test
    void quorumCountsHealthyRealsOrTheirShare() {
        assertFalse(new Quorum(1, false).met(0, 3));
        assertTrue(new Quorum(1, false).met(1, 3));
        assertFalse(new Quorum(2, false).met(1, 3));
        assertTrue(new Quorum(50, true).met(2, 4));
        assertFalse(new Quorum(50, true).met(1, 4));
        assertFalse(new Quorum(1, true).met(0, 0));
    }

    private DesiredService desired(Service service, Predicate<RealKey> up) {
        return planner.desired(List.of(service), up).get(0);
    }

    private static Predicate<RealKey> without(InetAddress down) {
        return key -> !key.real().equals(down);
    }
}
