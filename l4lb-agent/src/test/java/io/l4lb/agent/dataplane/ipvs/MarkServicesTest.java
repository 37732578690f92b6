// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Statistics;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.Errno;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One service for each way to a real and family of VIPs. */
final class MarkServicesTest {
    private static final Set<AddressFamily> IPV4 = Set.of(AddressFamily.INET);
    private static final Set<AddressFamily> BOTH = Set.of(AddressFamily.INET, AddressFamily.INET6);
    private static final int MANY = 17_000;

    private static final ProbePath ONE = new ProbePath(ip("10.0.1.1"), Forwarding.IPIP);
    private static final ProbePath TWO = new ProbePath(ip("10.0.1.2"), Forwarding.DIRECT);
    private static final int FIRST = Marks.BASE;

    @TempDir
    Path state;

    private PlayedKernel kernel;
    private MarkServices marks;
    private Instant now = Instant.EPOCH;

    @BeforeEach
    void start() {
        kernel = new PlayedKernel(state);
        marks = kernel.marks();
    }

    private static Set<ProbePath> many() {
        Set<ProbePath> ways = new LinkedHashSet<>();
        for (int i = 0; i < MANY; i++) {
            ways.add(new ProbePath(ip("10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)), Forwarding.IPIP));
        }
        return ways;
    }

    private static FirewallMark ipv4(int mark) {
        return new FirewallMark(mark, AddressFamily.INET);
    }

    @Test
    void moreThanSixteenThousandStayTheSameOverARestart() {
        Map<Integer, ProbePath> given = new Marks().assign(many(), Set.of());
        marks.set(given, IPV4, now);
        assertEquals(2 * MANY, kernel.writes().size());
        marks.set(given, IPV4, now);
        assertEquals(List.of(), kernel.writes());

        marks = kernel.marks();
        Marks next = new Marks();
        next.adopt(marks.owned());
        assertEquals(given, next.assign(many(), Set.of()));
        marks.set(given, IPV4, now);
        marks.repair();
        assertEquals(List.of(), kernel.writes());

        Set<ProbePath> changed = many();
        changed.remove(new ProbePath(ip("10.0.0.7"), Forwarding.IPIP));
        changed.add(TWO);
        marks.set(next.assign(changed, Set.of()), IPV4, now);
        assertEquals(2, kernel.writes().size());
        for (int pass = 0; pass < 2; pass++) {
            marks.finishDrains(now);
        }
        assertEquals(1, kernel.writes().size());
        marks.set(Map.of(), Set.of(), now);
        for (int pass = 0; pass <= MANY / 256; pass++) {
            marks.finishDrains(now);
        }
        assertEquals("", kernel.dump());
        assertEquals(Map.of(), kernel.marks().owned());
    }

    @Test
    void aRemovedWayDrains() {
        marks.set(Map.of(FIRST, ONE, FIRST + 1, TWO), IPV4, now);
        kernel.fake.count(
                ipv4(FIRST), new DestinationIdentity(ONE.real(), 0), new Connections(1, 0, 0), Statistics.ZERO);
        marks.set(Map.of(FIRST + 1, TWO), IPV4, now);
        marks.finishDrains(now);
        assertEquals(Set.of(ipv4(FIRST)), marks.draining());
        assertEquals(Set.of(FIRST, FIRST + 1), marks.owned().keySet());
        marks.finishDrains(now.plus(PlayedKernel.DRAIN));
        assertEquals(Set.of(), marks.draining());
        assertEquals(Set.of(FIRST + 1), marks.owned().keySet());
        assertEquals(Map.of(), kernel.weights(ipv4(FIRST)));
    }

    @Test
    void plainForwardingHasNoServiceOfTheOtherFamily() {
        marks.set(Map.of(FIRST, ONE, FIRST + 1, TWO), BOTH, now);
        assertEquals(Map.of(ONE.real(), 1), kernel.weights(new FirewallMark(FIRST, AddressFamily.INET6)));
        assertEquals(Map.of(), kernel.weights(new FirewallMark(FIRST + 1, AddressFamily.INET6)));
        assertEquals(3, kernel.others.services().size());
    }

    @Test
    void whatOthersChangedIsPutRight() {
        marks.set(Map.of(FIRST, ONE, FIRST + 1, TWO), IPV4, now);
        String right = kernel.everything();
        DestinationIdentity one = new DestinationIdentity(ONE.real(), 0);
        InetAddress nobody = ip("10.9.9.9");
        List<Runnable> damages = List.of(
                () -> kernel.others.deleteService(ipv4(FIRST)),
                () -> kernel.others.deleteDestination(ipv4(FIRST), one),
                () -> kernel.others.editDestination(
                        ipv4(FIRST), new Destination(one, DestinationSettings.of(0, PlainForwarding.DIRECT_ROUTE))),
                () -> kernel.others.addDestination(
                        ipv4(FIRST),
                        new Destination(
                                new DestinationIdentity(nobody, 0),
                                DestinationSettings.of(1, PlainForwarding.DIRECT_ROUTE))),
                () -> kernel.others.editService(new Service(ipv4(FIRST), ServiceSettings.of("wlc"))));
        for (Runnable damage : damages) {
            damage.run();
            kernel.writes();
            marks.repair();
            assertTrue(kernel.writes().size() <= 2);
            assertEquals(
                    right.lines().sorted().toList(),
                    kernel.everything().lines().sorted().toList());
        }
    }

    @Test
    void servicesOfOtherMarksAreLeftAlone() {
        for (int mark : List.of(7, Marks.BASE + 9)) {
            kernel.others.addService(new Service(ipv4(mark), ServiceSettings.of("wlc")));
        }
        String before = kernel.dump();
        marks.set(Map.of(FIRST, ONE), IPV4, now);
        marks.repair();
        marks.set(Map.of(), IPV4, now);
        marks.finishDrains(now);
        assertEquals(before, kernel.dump());
    }

    @Test
    void theNextAgentGoesOnWhereOneEnded() {
        Map<Integer, ProbePath> wanted = Map.of(FIRST, ONE, FIRST + 1, TWO);
        for (int sent = 0; sent < 6; sent++) {
            marks.set(Map.of(FIRST + 2, ONE), IPV4, now);
            kernel.killAfter(sent);
            assertThrows(PlayedKernel.Killed.class, () -> {
                marks.set(wanted, BOTH, now);
                marks.finishDrains(now);
            });
            kernel.behave();
            marks = kernel.marks();
            marks.set(wanted, BOTH, now);
            marks.finishDrains(now);
            assertEquals(3, kernel.others.services().size());
            assertEquals(wanted, kernel.marks().owned());
            marks.set(Map.of(), Set.of(), now);
            marks.finishDrains(now);
            assertEquals("", kernel.dump());
        }
    }

    @Test
    void aRefusalIsSaidAndTriedAgain() {
        for (int sent = 0; sent < 4; sent++) {
            kernel.refuseAfter(sent, Errno.ENOMEM);
            DataplaneException refused = assertThrows(
                    DataplaneException.class, () -> marks.set(Map.of(FIRST, ONE, FIRST + 1, TWO), IPV4, now));
            assertTrue(String.valueOf(refused.getMessage()).contains("ENOMEM"));
            kernel.behave();
            marks.set(Map.of(FIRST, ONE, FIRST + 1, TWO), IPV4, now);
            assertEquals(Map.of(ONE.real(), 1), kernel.weights(ipv4(FIRST)));
            assertEquals(Map.of(TWO.real(), 1), kernel.weights(ipv4(FIRST + 1)));
            marks.set(Map.of(), Set.of(), now);
            marks.finishDrains(now);
        }
    }
}
