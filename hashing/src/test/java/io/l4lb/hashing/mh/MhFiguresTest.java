// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What levels are there for: even shares, and few slots moved. */
class MhFiguresTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10, 20, 40, 100, 300})
    void equalWeightsAreSharedEvenlyAndBearAChangeOfOnePerCent(int reals) {
        MhFigures levels =
                MhFigures.levels(IntStream.generate(() -> 100).limit(reals).toArray());
        double slots = (double) KernelMaglev.SIZE / reals;
        assertEquals(Math.floor(slots), levels.balance().minSlots());
        assertEquals(Math.ceil(slots), levels.balance().maxSlots());
        assertEquals(0, levels.reweighted(weight -> weight * 101 / 100));
    }

    /** As configured, more than half of 300 reals have no slot at all. */
    @ParameterizedTest
    @CsvSource({"5, 0.95, 1.05", "20, 0.85, 1.15", "40, 0.8, 1.2", "100, 0.7, 1.3", "300, 0.5, 1.6"})
    void differentWeightsAreSharedAsEvenlyAsTheTableAllows(int reals, double least, double most) {
        MhFigures levels =
                MhFigures.levels(new Random(reals).ints(reals, 500, 1501).toArray());
        assertTrue(levels.balance().minOverAverage() > least, () -> "least " + levels.balance());
        assertTrue(levels.balance().maxOverAverage() < most, () -> "most " + levels.balance());
    }
}
