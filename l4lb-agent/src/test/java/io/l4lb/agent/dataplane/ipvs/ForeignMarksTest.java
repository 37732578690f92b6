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
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.netlink.AddressFamily;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services by mark of somebody else, or of an agent that nobody remembers. */
final class ForeignMarksTest {
    private static final Set<AddressFamily> BOTH = Set.of(AddressFamily.INET, AddressFamily.INET6);
    private static final ProbePath ONE = new ProbePath(ip("10.0.1.1"), Forwarding.IPIP);
    private static final ProbePath TWO = new ProbePath(ip("10.0.1.2"), Forwarding.GUE);
    private static final int FIRST = Marks.BASE;
    /** One of each kind that our marks can have: of probes or of packets, of either family. */
    private static final List<FirewallMark> KINDS =
            List.of(ipv4(FIRST), ipv6(FIRST), ipv4(MarkServices.ofPackets(FIRST)), ipv6(MarkServices.ofPackets(FIRST)));

    @TempDir
    Path state;

    private PlayedKernel kernel;
    private MarkServices marks;
    private final Marks numbers = new Marks();
    private final Instant now = Instant.EPOCH;

    @BeforeEach
    void start() {
        kernel = new PlayedKernel(state);
        marks = kernel.marks();
    }

    private static FirewallMark ipv4(int mark) {
        return new FirewallMark(mark, AddressFamily.INET);
    }

    private static FirewallMark ipv6(int mark) {
        return new FirewallMark(mark, AddressFamily.INET6);
    }

    private static Destination destination(int port, int weight) {
        return new Destination(
                new DestinationIdentity(ip("10.9.0.77"), port),
                DestinationSettings.of(weight, PlainForwarding.MASQUERADE));
    }

    private static Destination ofIpv6() {
        return new Destination(
                new DestinationIdentity(ip("fd00::77"), 0), DestinationSettings.of(9, PlainForwarding.MASQUERADE));
    }

    private void theirs(FirewallMark mark) {
        theirs(mark, "wrr", mark.family() == AddressFamily.INET ? destination(0, 9) : ofIpv6());
    }

    private void theirs(FirewallMark mark, String scheduler, Destination... destinations) {
        kernel.others.addService(new Service(mark, ServiceSettings.of(scheduler)));
        for (Destination each : destinations) {
            kernel.others.addDestination(mark, each);
        }
    }

    /** As a pass does. */
    private Map<Integer, ProbePath> give(ProbePath... ways) {
        Map<Integer, ProbePath> given = numbers.assign(new LinkedHashSet<>(List.of(ways)), marks.foreign());
        marks.set(given, BOTH, now);
        return given;
    }

    /** Our part of everything goes, and what is left is theirs. */
    private String rest() {
        marks.setPackets(Map.of(), now);
        marks.set(Map.of(), BOTH, now);
        marks.finishDrains(now);
        return kernel.dump();
    }

    @Test
    void aMarkWithAServiceOfSomebodyElseIsNotGiven() {
        for (FirewallMark mark : KINDS) {
            theirs(mark);
            String before = kernel.dump();
            marks = kernel.marks();
            Map<Integer, ProbePath> given = give(ONE, TWO);
            assertEquals(Set.of(ONE, TWO), Set.copyOf(given.values()));
            assertTrue(!given.containsKey(FIRST));
            marks.repair();
            marks.finishDrains(now);
            assertEquals(before, rest());
            kernel.others.deleteService(mark);
        }
    }

    @Test
    void theLogNamesThemOnce() {
        theirs(ipv4(FIRST));
        theirs(ipv6(7));
        try (LogLines log = new LogLines(OwnedMarks.class)) {
            give(ONE);
            give(ONE, TWO);
            assertEquals(
                    List.of(
                            "INFO IPVS has services that are not ours: they are left alone, and probes get other marks: "
                                    + ipv4(FIRST)),
                    log.lines());
        }
    }

    @Test
    void oneThatSomebodyTakesBeforeAReloadIsLeftToHim() {
        Map<Integer, ProbePath> before = give(ONE);
        theirs(ipv4(FIRST + 1));
        theirs(ipv6(MarkServices.ofPackets(FIRST + 2)));
        Map<Integer, ProbePath> given = give(ONE, TWO);
        assertEquals(Set.of(FIRST, FIRST + 3), given.keySet());
        assertEquals(before.get(FIRST), given.get(FIRST));
        assertEquals(Map.of(ip("10.9.0.77"), 9), kernel.weights(ipv4(FIRST + 1)));
    }

    /** Between the question and the change. */
    @Test
    void whoIsQuickerKeepsIt() {
        for (FirewallMark mark : KINDS.subList(0, 2)) {
            Marks fresh = new Marks();
            Map<Integer, ProbePath> given = fresh.assign(new LinkedHashSet<>(List.of(ONE, TWO)), marks.foreign());
            theirs(mark);
            String before = kernel.dump();
            DataplaneException refused = assertThrows(DataplaneException.class, () -> marks.set(given, BOTH, now));
            assertTrue(String.valueOf(refused.getMessage()).contains(mark + " that is not ours"), refused.getMessage());
            assertEquals(Set.of(mark), marks.contested());
            assertEquals(Map.of(TWO.real(), 1), kernel.weights(ipv4(FIRST + 1)));
            Map<Integer, ProbePath> next = fresh.assign(Set.copyOf(given.values()), marks.foreign());
            marks.set(next, BOTH, now);
            assertEquals(Set.of(), marks.contested());
            assertEquals(Set.of(FIRST + 1, FIRST + 2), next.keySet());
            marks = kernel.marks();
            assertEquals(before, rest());
            kernel.others.deleteService(mark);
        }
    }

    @Test
    void aMarkOfPacketsThatSomebodyTakesIsLeftToHim() {
        for (FirewallMark mark : KINDS.subList(2, 4)) {
            marks.set(Map.of(FIRST, ONE), BOTH, now);
            theirs(mark);
            String before = kernel.dump();
            for (int tries = 0; tries < 2; tries++) {
                marks.setPackets(Map.of(mark.mark(), true), now);
                assertEquals(Set.of(mark), marks.contested());
            }
            assertTrue(marks.foreign().contains(FIRST));
            marks.set(Map.of(FIRST + 1, ONE), BOTH, now);
            marks.setPackets(Map.of(MarkServices.ofPackets(FIRST + 1), true), now);
            assertEquals(Set.of(), marks.contested());
            assertEquals(Map.of(ONE.real(), 1), kernel.weights(ipv4(MarkServices.ofPackets(FIRST + 1))));
            marks.finishDrains(now);
            marks = kernel.marks();
            String after = rest();
            assertTrue(before.contains(after) && after.contains(String.valueOf(mark.mark())), after);
            kernel.others.deleteService(mark);
        }
    }

    @Test
    void whatAnAgentLeftThatLostItsStateIsUsedAgainOrDrained() {
        Map<Integer, ProbePath> given = give(ONE, TWO);
        marks.setPackets(Map.of(MarkServices.ofPackets(FIRST), true, MarkServices.ofPackets(FIRST + 1), false), now);
        kernel.writes();
        kernel.loseState();
        try (LogLines log = new LogLines(OwnedMarks.class)) {
            marks = kernel.marks();
            assertEquals(1, log.lines().size());
            assertTrue(
                    log.lines().get(0).contains("taken over: " + ipv4(FIRST) + ", "),
                    log.lines().get(0));
        }
        assertEquals(given, marks.owned());
        assertEquals(Set.of(), marks.foreign());
        numbers.adopt(marks.owned());
        assertEquals(Map.of(FIRST + 1, TWO), give(TWO));
        marks.setPackets(Map.of(MarkServices.ofPackets(FIRST + 1), false), now);
        assertEquals(List.of(), kernel.writes());
        marks.finishDrains(now);
        assertEquals(
                Set.of(ipv4(FIRST + 1), ipv6(FIRST + 1)),
                marks.present().stream()
                        .filter(mark -> LostMarks.ofProbes(mark.mark()) == mark.mark())
                        .collect(Collectors.toSet()));
        assertEquals("", rest());
    }

    @Test
    void ofTwoMarksOfOneWayOneDrains() {
        give(ONE);
        kernel.loseState();
        marks = kernel.marks();
        Destination one = kernel.others.destinations(ipv4(FIRST)).get(0).destination();
        theirs(ipv4(FIRST + 5), "rr", one);
        kernel.loseState();
        marks = kernel.marks();
        assertEquals(Map.of(FIRST, ONE, FIRST + 5, ONE), marks.owned());
        Marks next = new Marks();
        next.adopt(marks.owned());
        Map<Integer, ProbePath> given = next.assign(Set.of(ONE), marks.foreign());
        marks.set(given, BOTH, now);
        marks.finishDrains(now);
        assertEquals(given, marks.owned());
        assertEquals(2, kernel.others.services().size());
    }

    @Test
    void whatIsNotExactlyAsOursIsLeftAlone() {
        theirs(ipv4(FIRST), "rr");
        theirs(ipv4(FIRST + 1), "rr", destination(0, 9));
        theirs(ipv4(FIRST + 2), "rr", destination(0, 1), destination(1, 1));
        theirs(ipv4(FIRST + 3), "rr", destination(80, 1));
        theirs(ipv4(FIRST + 4), "wrr", destination(0, 1));
        theirs(ipv4(MarkServices.ofPackets(FIRST + 5)), "rr", destination(0, 1));
        theirs(ipv4(FIRST - 1), "rr", destination(0, 1));
        String before = kernel.dump();
        marks = kernel.marks();
        assertEquals(Map.of(), marks.owned());
        assertEquals(Set.of(FIRST + 6), give(ONE).keySet());
        assertEquals(before, rest());
    }

    @Test
    void whatWasGoneIsToldButNotAtLength() {
        ProbePath[] ways = new ProbePath[10];
        for (int i = 0; i < ways.length; i++) {
            ways[i] = new ProbePath(ip("10.0.1." + i), Forwarding.IPIP);
        }
        try (LogLines log = new LogLines(MarkServices.class)) {
            give(ways);
            kernel.others.deleteService(ipv6(FIRST));
            marks.repair();
            assertEquals(List.of("WARNING IPVS service " + ipv6(FIRST) + " was gone, made again"), log.lines());
            kernel.others.flush();
            marks.repair();
            assertEquals(10, log.lines().size());
            assertEquals(
                    "WARNING and 12 IPVS services by mark more were gone, made again",
                    log.lines().get(9));
            marks.repair();
            assertEquals(10, log.lines().size());
        }
    }
}
