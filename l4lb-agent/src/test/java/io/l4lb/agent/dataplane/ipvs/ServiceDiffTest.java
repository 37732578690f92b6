// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Tunnel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is changed in the kernel for what is wanted; the kernel is played by its rules for lists. */
class ServiceDiffTest {
    private static final ServiceKey WEB = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    private static final ServiceKey DNS = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);
    private static final InetAddress ONE = ip("10.0.1.1");
    private static final InetAddress TWO = ip("10.0.1.2");
    private static final InetAddress TEN = ip("10.0.1.10");
    private static final ServiceSettings MH = new ServiceSettings(
            "mh", Set.of(ServiceFlag.MH_FALLBACK, ServiceFlag.MH_PORT), Optional.empty(), Optional.empty());

    /** What the kernel has of one service. */
    private static final class KernelList {
        private ServiceSettings settings = ServiceSettings.of("rr");
        private final List<Destination> listed = new ArrayList<>();
        private final Map<DestinationIdentity, Integer> last = new HashMap<>();

        void apply(ServiceDiff diff) {
            for (IpvsChange change : diff.changes()) {
                if (change instanceof IpvsChange.AddService add) {
                    settings = add.added().settings();
                } else if (change instanceof IpvsChange.EditService edit) {
                    settings = edit.edited().settings();
                } else if (change instanceof IpvsChange.AddDestination add) {
                    assertFalse(holds(add.destination().identity()), "EEXIST");
                    listed.add(0, add.destination());
                    note(add.destination());
                } else if (change instanceof IpvsChange.EditDestination edit) {
                    listed.replaceAll(
                            each -> each.identity().equals(edit.destination().identity()) ? edit.destination() : each);
                    note(edit.destination());
                } else if (change instanceof IpvsChange.DeleteDestination delete) {
                    assertTrue(listed.removeIf(each -> each.identity().equals(delete.destination())), "ENOENT");
                    last.remove(delete.destination());
                }
            }
        }

        private boolean holds(DestinationIdentity identity) {
            return listed.stream().anyMatch(each -> each.identity().equals(identity));
        }

        private void note(Destination destination) {
            if (destination.settings().weight() > 0) {
                last.put(destination.identity(), destination.settings().weight());
            }
        }

        ServiceDiff diff(ServiceRule rule) {
            return ServiceDiff.between(settings, listed, last, rule);
        }

        List<InetAddress> reals() {
            return listed.stream().map(each -> each.identity().address()).toList();
        }
    }

    private static ServiceRule rule(ServiceKey key, KernelScheduler scheduler, Member... members) {
        return ServiceRule.of(
                new ServiceProgram(
                        key,
                        PacketKey.FIVE_TUPLE,
                        Forwarding.IPIP,
                        Optional.of(new Scheduling.ByKernel(scheduler)),
                        Optional.empty(),
                        List.of(members)),
                scheduler);
    }

    private static ServiceRule web(Member... members) {
        return rule(WEB, KernelScheduler.MH, members);
    }

    private static Member up(InetAddress real, int weight) {
        return new Member(real, weight, true);
    }

    private static Member down(InetAddress real, int weight) {
        return new Member(real, weight, false);
    }

    private static KernelList made(ServiceRule rule) {
        KernelList kernel = new KernelList();
        kernel.apply(ServiceDiff.creation(rule));
        assertTrue(kernel.diff(rule).isEmpty());
        return kernel;
    }

    @Test
    void aNewServiceGetsItsTableOnce() {
        ServiceRule rule = web(up(ONE, 1), up(TWO, 1));
        List<IpvsChange> changes = ServiceDiff.creation(rule).changes();
        assertEquals(
                new IpvsChange.AddService(new Service(rule.service().identity(), ServiceSettings.of("none"))),
                changes.get(0));
        assertEquals(new IpvsChange.EditService(new Service(rule.service().identity(), MH)), changes.get(3));
        assertEquals(4, changes.size());
    }

    /** The next address is put at the head, where the kernel puts it anyway. */
    @Test
    void theListIsInTheOrderOfAddresses() {
        KernelList kernel = made(web(up(TWO, 1), up(TEN, 1), up(ONE, 1)));
        assertEquals(List.of(TEN, TWO, ONE), kernel.reals());
        ServiceRule more = web(up(TWO, 1), up(TEN, 1), up(ONE, 1), up(ip("10.0.1.11"), 1));
        ServiceDiff diff = kernel.diff(more);
        assertEquals(1, diff.changes().size());
        assertFalse(diff.reorders());
    }

    @Test
    void aRealInBetweenTakesOutThoseBeforeIt() {
        KernelList kernel = made(web(up(ONE, 1), up(TEN, 1)));
        ServiceRule more = web(up(ONE, 1), up(TWO, 1), up(TEN, 1));
        ServiceDiff diff = kernel.diff(more);
        assertTrue(diff.reorders());
        assertEquals(3, diff.changes().size());
        kernel.apply(diff);
        assertEquals(List.of(TEN, TWO, ONE), kernel.reals());
        assertTrue(kernel.diff(more).isEmpty());
    }

    @Test
    void withoutAHashNoRealIsTakenOut() {
        KernelList kernel = made(rule(WEB, KernelScheduler.WLC, up(ONE, 5), up(TEN, 5)));
        ServiceDiff diff = kernel.diff(rule(WEB, KernelScheduler.WLC, up(ONE, 5), up(TWO, 5), up(TEN, 5)));
        assertEquals(1, diff.changes().size());
        assertFalse(diff.reorders());
    }

    @Test
    void aRealThatGoesDownIsOneEdit() {
        KernelList kernel = made(web(up(ONE, 1), up(TWO, 1)));
        ServiceDiff diff = kernel.diff(web(up(ONE, 1), down(TWO, 1)));
        assertEquals(1, diff.changes().size());
        kernel.apply(diff);
        assertEquals(0, kernel.listed.get(0).settings().weight());
        ServiceDiff back = kernel.diff(web(up(ONE, 1), up(TWO, 1)));
        assertEquals(1, back.changes().size());
    }

    /** One that is added at 0 would have no slots, and other directors' tables would be others. */
    @Test
    void aRealThatIsDownFromTheStartHasItsSlots() {
        ServiceRule rule = web(up(ONE, 1), down(TWO, 1));
        KernelList kernel = made(rule);
        DestinationIdentity two = new DestinationIdentity(TWO, 80);
        assertEquals(Map.of(new DestinationIdentity(ONE, 80), 1, two, 1), kernel.last);
        assertEquals(0, kernel.listed.get(0).settings().weight());
        kernel.last.remove(two); // a predecessor's that is not known
        assertEquals(2, kernel.diff(rule).changes().size());
    }

    @Test
    void aDeadRealOfUdpIsTakenOut() {
        KernelList kernel = made(rule(DNS, KernelScheduler.MH, up(ONE, 1), up(TWO, 1)));
        kernel.apply(kernel.diff(rule(DNS, KernelScheduler.MH, up(ONE, 1), down(TWO, 1))));
        assertEquals(List.of(ONE), kernel.reals());
    }

    @Test
    void aRemovedOrDrainedRealKeepsItsConnections() {
        KernelList kernel = made(web(up(ONE, 1), up(TWO, 1), up(TEN, 1)));
        ServiceRule less = web(up(ONE, 1), up(TEN, 0));
        kernel.apply(kernel.diff(less));
        assertEquals(List.of(TEN, TWO, ONE), kernel.reals());
        assertEquals(
                List.of(0, 0, 1),
                kernel.listed.stream().map(each -> each.settings().weight()).toList());
        assertTrue(kernel.diff(less).isEmpty());
    }

    @Test
    void whatElseIsChangedIsPutRight() {
        ServiceRule rule = web(up(ONE, 1), up(TWO, 1));
        KernelList kernel = made(rule);
        kernel.settings = ServiceSettings.of("rr");
        kernel.listed.set(
                0,
                new Destination(
                        kernel.listed.get(0).identity(),
                        DestinationSettings.of(7, Tunnel.gre(io.l4lb.ipvs.TunnelChecksum.NONE))));
        ServiceDiff diff = kernel.diff(rule);
        assertEquals(2, diff.changes().size());
        kernel.apply(diff);
        assertTrue(kernel.diff(rule).isEmpty());
    }

    /** From anything to anything: the kernel refuses nothing, and in the end it has the wanted ones in their order. */
    @Test
    void anyChangeEndsWhereItShould() {
        Random random = new Random(5);
        KernelList kernel = made(web());
        for (int round = 0; round < 2000; round++) {
            KernelScheduler scheduler = random.nextBoolean() ? KernelScheduler.MH : KernelScheduler.WRR;
            List<Member> members = new ArrayList<>();
            for (int i = 1; i < 12; i++) {
                if (random.nextInt(3) > 0) {
                    members.add(new Member(ip("10.0.1." + i), random.nextInt(3) * 50, random.nextInt(4) > 0));
                }
            }
            ServiceRule rule = rule(WEB, scheduler, members.toArray(Member[]::new));
            kernel.apply(kernel.diff(rule));
            assertTrue(kernel.diff(rule).isEmpty(), () -> rule + " leaves " + kernel.diff(rule));
            List<DestinationIdentity> wanted =
                    rule.wanted().stream().map(ServiceRule.Wanted::identity).toList();
            List<DestinationIdentity> found = kernel.listed.stream()
                    .map(Destination::identity)
                    .filter(wanted::contains)
                    .toList();
            assertEquals(rule.ordered() ? wanted : Set.copyOf(wanted), rule.ordered() ? found : Set.copyOf(found));
            kernel.listed.removeIf(each -> !wanted.contains(each.identity()) && random.nextBoolean());
        }
    }
}
