// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MarksTest {
    private final Marks marks = new Marks();

    @Test
    void keepsTheMarkOfARealThatStays() {
        marks.assign(reals(1, 2), Set.of());
        int second = marks.of(real(2));
        marks.assign(reals(2, 3), Set.of());
        assertEquals(second, marks.of(real(2)));
        assertThrows(IllegalStateException.class, () -> marks.of(real(1)));
    }

    @Test
    void doesNotGiveAFreedMarkToTheNextReal() {
        marks.assign(reals(1), Set.of());
        int first = marks.of(real(1));
        marks.assign(reals(2), Set.of());
        assertNotEquals(first, marks.of(real(2)));
    }

    @Test
    void comesAroundAndStaysInItsRange() {
        marks.assign(reals(0), Set.of());
        int kept = marks.of(real(0));
        Set<Integer> seen = new HashSet<>();
        for (int i = 1; i < 2 * Marks.COUNT; i++) {
            marks.assign(new LinkedHashSet<>(List.of(real(0), real(i))), Set.of());
            assertNotEquals(kept, marks.of(real(i)));
            seen.add(marks.of(real(i)));
        }
        assertEquals(kept, marks.of(real(0)));
        assertEquals(Marks.COUNT - 1, seen.size());
        seen.forEach(mark -> assertEquals(Marks.BASE >>> 16, mark >>> 16));
    }

    @Test
    void tellsTheWaysToOneRealApart() {
        ProbePath plain = real(1);
        ProbePath gue = new ProbePath(plain.real(), Forwarding.GUE);
        Map<Integer, ProbePath> byMark = marks.assign(Set.of(plain, gue), Set.of());
        assertNotEquals(marks.of(plain), marks.of(gue));
        assertEquals(gue, byMark.get(marks.of(gue)));
    }

    @Test
    void thoseOfOthersAreNotGiven() {
        Set<Integer> foreign = Set.of(7, Marks.BASE, Marks.BASE + 2);
        assertEquals(Map.of(Marks.BASE + 1, real(1), Marks.BASE + 3, real(2)), marks.assign(reals(1, 2), foreign));
        assertEquals(
                Map.of(Marks.BASE + 1, real(1), Marks.BASE + 4, real(2)),
                marks.assign(reals(1, 2), Set.of(Marks.BASE + 3)));
    }

    @Test
    void saysThatOthersLeaveNotEnough() {
        Set<Integer> foreign = new HashSet<>();
        for (int i = 1; i < Marks.COUNT; i++) {
            foreign.add(Marks.BASE + i);
        }
        assertEquals(Map.of(Marks.BASE, real(1)), marks.assign(reals(1), foreign));
        assertThrows(DataplaneException.class, () -> marks.assign(reals(1, 2), foreign));
    }

    @Test
    void ofTwoMarksOfOneWayTheOtherIsNotGivenNext() {
        Map<Integer, ProbePath> left = new LinkedHashMap<>();
        left.put(Marks.BASE, real(1));
        left.put(Marks.BASE + 1, real(1));
        marks.adopt(left);
        assertEquals(Map.of(Marks.BASE, real(1), Marks.BASE + 2, real(2)), marks.assign(reals(1, 2), Set.of()));
    }

    private static Set<ProbePath> reals(int... numbers) {
        Set<ProbePath> reals = new LinkedHashSet<>();
        for (int number : numbers) {
            reals.add(real(number));
        }
        return reals;
    }

    private static ProbePath real(int number) {
        try {
            InetAddress address = InetAddress.getByAddress(
                    new byte[] {10, (byte) (number >> 16), (byte) (number >> 8), (byte) number});
            return new ProbePath(address, Forwarding.IPIP);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
