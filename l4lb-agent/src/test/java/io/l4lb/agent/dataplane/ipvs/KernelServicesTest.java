// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.Programs.DNS;
import static io.l4lb.agent.dataplane.ipvs.Programs.WEB;
import static io.l4lb.agent.dataplane.ipvs.Programs.down;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Statistics;
import io.l4lb.ipvs.Tunnel;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.Errno;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written, and what is left alone. */
final class KernelServicesTest {
    private static final InetAddress ONE = ip("10.0.1.1");
    private static final InetAddress TWO = ip("10.0.1.2");
    private static final InetAddress THREE = ip("10.0.1.3");
    private static final KernelScheduler MH = KernelScheduler.MH;
    private static final VirtualAddress WEB_ADDRESS = Identities.of(WEB);
    private static final int SET_DESTINATION = 6;
    private static final int DELETE_DESTINATION = 7;
    private static final int NEW_DESTINATION = 5;

    @TempDir
    Path state;

    private PlayedKernel kernel;
    private KernelServices services;
    private Instant now = Instant.EPOCH;

    @BeforeEach
    void start() {
        kernel = new PlayedKernel(state);
        services = kernel.services();
    }

    private KernelService install(ServiceProgram program) {
        KernelScheduler scheduler = KernelSchedulers.of(program, Maglev.KERNEL).orElseThrow();
        return services.install(program, scheduler, now);
    }

    private KernelService web(Member... members) {
        return install(Programs.of(WEB, MH, members));
    }

    private void connections(InetAddress real, int active) {
        kernel.fake.count(
                WEB_ADDRESS, new DestinationIdentity(real, WEB.port()), new Connections(active, 0, 0), Statistics.ZERO);
    }

    private static List<Member> twenty() {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= 20; i++) {
            members.add(up(ip("10.0.1." + i), 4));
        }
        return members;
    }

    private static List<Member> with(Member other) {
        List<Member> members = twenty();
        members.removeIf(each -> each.real().equals(other.real()));
        members.add(other);
        return members;
    }

    private List<Integer> writesOf(KernelScheduler scheduler, List<Member> members) {
        kernel.writes();
        install(Programs.of(WEB, scheduler, members.toArray(Member[]::new)));
        return kernel.writes();
    }

    @ParameterizedTest
    @EnumSource(names = {"MH", "WRR"})
    void oneRealsChangeIsOneMessage(KernelScheduler scheduler) {
        InetAddress tenth = ip("10.0.1.10");
        writesOf(scheduler, twenty());
        assertEquals(List.of(), writesOf(scheduler, twenty()));
        assertEquals(List.of(SET_DESTINATION), writesOf(scheduler, with(down(tenth, 4))));
        assertEquals(List.of(SET_DESTINATION), writesOf(scheduler, twenty()));
        assertEquals(List.of(SET_DESTINATION), writesOf(scheduler, with(up(tenth, 2))));
        assertEquals(List.of(SET_DESTINATION), writesOf(scheduler, with(up(tenth, 0))));
    }

    /** With the highest address nobody else moves. */
    @ParameterizedTest
    @EnumSource(names = {"MH", "WRR"})
    void aReplacedRealIsTwoMessagesAndOneLater(KernelScheduler scheduler) {
        writesOf(scheduler, twenty());
        List<Member> replaced = with(up(ip("10.0.1.30"), 4));
        replaced.removeIf(each -> each.real().equals(ip("10.0.1.10")));
        assertEquals(List.of(SET_DESTINATION, NEW_DESTINATION), writesOf(scheduler, replaced));
        services.finishDrains(now);
        assertEquals(List.of(DELETE_DESTINATION), kernel.writes());
        services.finishDrains(now);
        assertEquals(List.of(), kernel.writes());
        assertEquals(List.of(), writesOf(scheduler, replaced));
    }

    @Test
    void looksWriteNothing() {
        web(up(ONE, 1), down(TWO, 1), up(THREE, 0));
        kernel.writes();
        services.observe();
        services.finishDrains(now);
        assertEquals(List.of(), kernel.writes());
    }

    private String foreign() {
        VirtualAddress address = new VirtualAddress(ip("192.0.2.99"), 6, 80);
        kernel.others.addService(new Service(address, ServiceSettings.of("wlc")));
        kernel.others.addDestination(
                address,
                new Destination(
                        new DestinationIdentity(ip("10.9.9.9"), 80),
                        DestinationSettings.of(3, PlainForwarding.DIRECT_ROUTE)));
        return kernel.dump();
    }

    @Test
    void othersServicesAreLeftAlone() {
        String before = foreign();
        web(up(ONE, 1), up(TWO, 1));
        services.observe();
        web(up(ONE, 1));
        services.finishDrains(now);
        services = kernel.services();
        assertEquals(Set.of(WEB), services.observe().keySet());
        ServiceKey theirs = new ServiceKey(ip("192.0.2.99"), Protocol.TCP, 80);
        services.retire(theirs, now);
        services.remove(Set.of(WEB, theirs));
        assertTrue(services.installed(theirs).isEmpty());
        assertEquals(before, kernel.dump());
    }

    @Test
    void anothersServiceAtTheSameAddressIsRefused() {
        kernel.others.addService(new Service(WEB_ADDRESS, ServiceSettings.of("wlc")));
        String before = kernel.dump();
        DataplaneException refused = assertThrows(DataplaneException.class, () -> web(up(ONE, 1)));
        assertTrue(String.valueOf(refused.getMessage()).contains("192.0.2.10"), refused.getMessage());
        assertTrue(String.valueOf(refused.getMessage()).contains("80"), refused.getMessage());
        assertTrue(String.valueOf(refused.getMessage()).contains("not ours"), refused.getMessage());
        assertEquals(before, kernel.dump());
        assertEquals(Map.of(), services.observe());
        services.remove(Set.of(WEB));
        assertEquals(before, kernel.dump());
    }

    @Test
    void oneThatDoesTheSameIsTakenOver() {
        ServiceProgram program = Programs.of(WEB, MH, up(ONE, 1), down(TWO, 1));
        install(program);
        String done = kernel.dump();
        kernel.loseState();
        services = kernel.services();
        assertEquals(Map.of(), services.observe());
        assertTrue(install(program).does(program));
        assertEquals(done, kernel.dump());
        services.remove(Set.of(WEB));
        assertEquals("", kernel.dump());
    }

    /** Of UDP one that is down is no destination; which are up is not known yet. */
    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            names = {"TCP", "UDP"})
    void whatAnAgentLeftThatLostItsStateIsAdoptedAsItIs(Protocol protocol) {
        ServiceKey key = new ServiceKey(WEB.vip(), protocol, WEB.port());
        ServiceProgram before = Programs.of(key, MH, up(ONE, 1), down(TWO, 1), up(THREE, 3));
        install(before);
        String done = kernel.dump();
        kernel.loseState();
        services = kernel.services();
        Map<ServiceProgram, KernelScheduler> wanted = Map.of(
                Programs.of(key, MH, up(ONE, 1), up(TWO, 1), up(THREE, 3)), MH, Programs.of(DNS, MH, up(ONE, 1)), MH);
        assertEquals(Set.of(key), services.adopt(wanted));
        assertEquals(Set.of(), services.adopt(wanted));
        assertEquals(
                Set.of(ONE, THREE),
                Objects.requireNonNull(services.observe().get(key)).active());
        assertEquals(done, kernel.dump());
        assertTrue(install(before).does(before));
        assertEquals(done, kernel.dump());
    }

    @Test
    void whatDoesSomethingElseIsNotAdopted() {
        install(Programs.of(WEB, MH, up(ONE, 1), up(TWO, 1)));
        kernel.loseState();
        services = kernel.services();
        for (ServiceProgram other : List.of(
                Programs.of(WEB, MH, up(ONE, 1)),
                Programs.of(WEB, KernelScheduler.RR, up(ONE, 1), up(TWO, 1)),
                Programs.of(WEB, MH, Forwarding.DIRECT, List.of(up(ONE, 1), up(TWO, 1))))) {
            assertEquals(
                    Set.of(),
                    services.adopt(Map.of(
                            other, KernelSchedulers.of(other, Maglev.KERNEL).orElseThrow())));
        }
        assertEquals(Map.of(), services.observe());
    }

    @Test
    void oneOfUdpWhoseRealsAreAllDownIsOursStill() {
        install(Programs.of(DNS, MH, up(ONE, 1)));
        kernel.loseState();
        services = kernel.services();
        ServiceProgram down = Programs.of(DNS, MH, down(ONE, 1));
        assertTrue(install(down).does(down));
    }

    @Test
    void whatOthersChangedIsPutRight() {
        ServiceProgram program = Programs.of(WEB, MH, up(ONE, 1), up(TWO, 1), down(THREE, 1));
        install(program);
        String right = kernel.everything();
        DestinationIdentity one = new DestinationIdentity(ONE, 80);
        List<Runnable> damages = List.of(
                () -> kernel.others.deleteDestination(WEB_ADDRESS, one),
                () -> kernel.others.editDestination(
                        WEB_ADDRESS, new Destination(one, DestinationSettings.of(7, Tunnel.IPIP))),
                () -> kernel.others.editDestination(
                        WEB_ADDRESS, new Destination(one, DestinationSettings.of(1, PlainForwarding.DIRECT_ROUTE))),
                () -> kernel.others.editService(new Service(WEB_ADDRESS, ServiceSettings.of("rr"))),
                () -> kernel.others.deleteService(WEB_ADDRESS));
        for (Runnable damage : damages) {
            damage.run();
            KernelService observed = services.observe().get(WEB);
            assertFalse(observed != null && observed.does(program));
            assertTrue(install(program).does(program));
            assertEquals(right, kernel.everything());
        }
    }

    @Test
    void anAddedDestinationOfOthersGetsNoFlows() {
        ServiceProgram program = Programs.of(WEB, MH, up(ONE, 1));
        install(program);
        kernel.others.addDestination(
                WEB_ADDRESS, new Destination(new DestinationIdentity(TWO, 80), DestinationSettings.of(1, Tunnel.IPIP)));
        assertFalse(Objects.requireNonNull(services.observe().get(WEB)).does(program));
        install(program);
        assertEquals(Map.of(TWO, 0, ONE, 1), kernel.weights(WEB_ADDRESS));
        services.finishDrains(now);
        assertEquals(Map.of(ONE, 1), kernel.weights(WEB_ADDRESS));
    }

    @Test
    void aRemovedRealLeavesWhenItHasNoConnections() {
        web(up(ONE, 1), up(TWO, 1));
        connections(TWO, 3);
        web(up(ONE, 1));
        services.finishDrains(now);
        assertEquals(Map.of(TWO, 0, ONE, 1), kernel.weights(WEB_ADDRESS));
        connections(TWO, 0);
        services.finishDrains(now);
        assertEquals(Map.of(ONE, 1), kernel.weights(WEB_ADDRESS));
    }

    @Test
    void aRemovedRealLeavesWhenItsTimeIsOverAlsoOverARestart() {
        web(up(ONE, 1), up(TWO, 1));
        connections(TWO, 3);
        web(up(ONE, 1));
        services = kernel.services();
        assertFalse(Objects.requireNonNull(services.observe().get(WEB)).does(Programs.of(WEB, MH, up(ONE, 1))));
        web(up(ONE, 1));
        now = now.plus(PlayedKernel.DRAIN).minusMillis(1);
        services.finishDrains(now);
        assertEquals(Map.of(TWO, 0, ONE, 1), kernel.weights(WEB_ADDRESS));
        now = now.plusMillis(1);
        services.finishDrains(now);
        assertEquals(Map.of(ONE, 1), kernel.weights(WEB_ADDRESS));
    }

    @Test
    void aDrainedRealHasNoDeadline() {
        web(up(ONE, 1), up(TWO, 1));
        connections(TWO, 1);
        web(up(ONE, 1), up(TWO, 0));
        now = now.plus(PlayedKernel.DRAIN.multipliedBy(100));
        services.finishDrains(now);
        assertEquals(Map.of(TWO, 0, ONE, 1), kernel.weights(WEB_ADDRESS));
        web(up(ONE, 1));
        services.finishDrains(now.plus(PlayedKernel.DRAIN).minusSeconds(1));
        assertEquals(Map.of(TWO, 0, ONE, 1), kernel.weights(WEB_ADDRESS));
        services.finishDrains(now.plus(PlayedKernel.DRAIN));
        assertEquals(Map.of(ONE, 1), kernel.weights(WEB_ADDRESS));
    }

    @Test
    void aDeadRealOfUdpIsTakenOutWithItsConnections() {
        install(Programs.of(DNS, MH, up(ONE, 1), up(TWO, 1)));
        kernel.fake.count(
                Identities.of(DNS), new DestinationIdentity(TWO, 53), new Connections(0, 9, 0), Statistics.ZERO);
        kernel.writes();
        install(Programs.of(DNS, MH, up(ONE, 1), down(TWO, 1)));
        assertEquals(List.of(DELETE_DESTINATION), kernel.writes());
        assertEquals(Map.of(ONE, 1), kernel.weights(Identities.of(DNS)));
    }

    @Test
    void aRetiredServiceKeepsItsConnectionsUntilTheyAreDoneOrItsTimeIsOver() {
        for (boolean idle : List.of(true, false)) {
            web(up(ONE, 1), up(TWO, 1));
            connections(TWO, 1);
            services.retire(WEB, now);
            assertEquals(Map.of(), services.observe());
            services.finishDrains(now);
            assertEquals(Map.of(TWO, 0), kernel.weights(WEB_ADDRESS));
            if (idle) {
                connections(TWO, 0);
            } else {
                now = now.plus(PlayedKernel.DRAIN);
            }
            services.finishDrains(now);
            assertEquals("", kernel.dump());
            assertTrue(kernel.everything().contains("claims {}"));
        }
    }

    @Test
    void aRetiredServiceThatComesBackServesAgain() {
        ServiceProgram program = Programs.of(WEB, MH, up(ONE, 1), down(TWO, 3));
        install(program);
        String right = kernel.everything();
        connections(ONE, 1);
        services.retire(WEB, now);
        assertTrue(install(program).does(program));
        assertEquals(right, kernel.everything());
        now = now.plus(PlayedKernel.DRAIN);
        services.finishDrains(now);
        assertEquals(right, kernel.everything());
    }

    @Test
    void aRefusalIsSaidInWordsAndOthersGoOn() {
        for (Errno errno : List.of(Errno.EPERM, Errno.ENOMEM)) {
            kernel.refuseAfter(0, errno);
            DataplaneException refused = assertThrows(DataplaneException.class, () -> web(up(ONE, 1)));
            assertTrue(String.valueOf(refused.getMessage()).contains(errno.name()), refused.getMessage());
            kernel.behave();
            install(Programs.of(DNS, MH, up(ONE, 1)));
            assertEquals(Map.of(ONE, 1), kernel.weights(Identities.of(DNS)));
        }
        assertTrue(web(up(ONE, 1)).does(Programs.of(WEB, MH, up(ONE, 1))));
    }

    @Test
    void aMissingSchedulerIsSaidInWords() {
        kernel.fake.removeScheduler("mh");
        DataplaneException refused = assertThrows(DataplaneException.class, () -> web(up(ONE, 1)));
        assertTrue(String.valueOf(refused.getMessage()).contains("ip_vs_mh"), refused.getMessage());
        assertEquals("", kernel.dump(), "one without a scheduler does not stay");
        install(Programs.of(DNS, KernelScheduler.RR, up(ONE, 1)));
        assertEquals(Map.of(ONE, 1), kernel.weights(Identities.of(DNS)));
    }
}
