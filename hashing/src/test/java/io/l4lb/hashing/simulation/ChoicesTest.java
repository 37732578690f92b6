// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.simulation.Choices.Pair;
import java.util.HashSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChoicesTest {
    @Test
    void allOfAFew() {
        assertArrayEquals(new int[] {0, 1, 2}, Choices.positions(3, 5).toArray());
        assertEquals(List.of(new Pair(0, 1), new Pair(0, 2), new Pair(1, 2)), Choices.pairs(3, 5));
        assertEquals(List.of(), Choices.pairs(1, 5));
        assertEquals(List.of(), Choices.pairs(0, 5));
        assertEquals(0, Choices.positions(0, 5).count());
    }

    @Test
    void aFewOfManyEvenlySpread() {
        assertArrayEquals(new int[] {12, 37, 62, 87}, Choices.positions(100, 4).toArray());
        assertArrayEquals(new int[] {50}, Choices.positions(100, 1).toArray());
        assertEquals(List.of(new Pair(0, 2), new Pair(1, 2), new Pair(2, 3)), Choices.pairs(4, 3));
    }

    @Property(tries = 200)
    void pairsAreDifferentAndOfDifferentReals(
            @ForAll @IntRange(max = 2000) int count, @ForAll @IntRange(min = 1, max = 200) int limit) {
        List<Pair> pairs = Choices.pairs(count, limit);
        assertEquals(Math.min(limit, (long) count * (count - 1) / 2), pairs.size());
        assertEquals(pairs.size(), new HashSet<>(pairs).size());
        pairs.forEach(pair -> assertTrue(
                0 <= pair.first() && pair.first() < pair.second() && pair.second() < count, pair.toString()));
    }
}
