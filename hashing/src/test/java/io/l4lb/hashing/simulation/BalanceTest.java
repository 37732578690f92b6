// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalanceTest {
    private static final double EXACT = 1e-12;

    @Test
    void ofWeightsAndADrainedReal() {
        LookupTable table = LookupTable.of(
                List.of(new WeightedReal("a", 1), new WeightedReal("b", 0), new WeightedReal("c", 3)),
                new int[] {0, 0, 0, 2, 2, 2, 2, 2});
        Balance balance = Balance.of(table);
        assertEquals(
                List.of(new Holding(new WeightedReal("a", 1), 3, 2), new Holding(new WeightedReal("c", 3), 5, 6)),
                balance.holdings());
        assertEquals(3, balance.minSlots());
        assertEquals(5, balance.maxSlots());
        assertEquals(4, balance.averageSlots());
        assertEquals(1.5, balance.maxOverAverage(), EXACT);
        assertEquals(5.0 / 6, balance.minOverAverage(), EXACT);
    }

    @Test
    void aShareBelowOneSlotCountsAsOneSlot() {
        LookupTable table = LookupTable.of(
                List.of(new WeightedReal("a", 1), new WeightedReal("b", 1), new WeightedReal("c", 1_000_000)),
                new int[] {0, 2, 2, 2, 2});
        Balance balance = Balance.of(table);
        assertEquals(1, balance.maxOverAverage());
        assertEquals(0, balance.minOverAverage(), "b gets no flows");
    }

    @Test
    void ofATableThatNamesNobody() {
        LookupTable table = LookupTable.of(List.of(new WeightedReal("a", 0)), new int[] {-1, -1});
        Balance balance = Balance.of(table);
        assertEquals(List.of(), balance.holdings());
        assertEquals(0, balance.minSlots());
        assertEquals(0, balance.maxSlots());
        assertEquals(0, balance.averageSlots());
        assertEquals(0, balance.maxOverAverage());
        assertEquals(0, balance.minOverAverage());
    }
}
