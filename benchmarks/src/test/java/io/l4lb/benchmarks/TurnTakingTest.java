// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The baseline is what it claims to be. */
class TurnTakingTest {
    /** Table 1 of the Maglev paper: (offset, skip) are (3, 4), (0, 2), (3, 1), of 7 slots. */
    @Test
    void fillsThePapersExample() {
        assertArrayEquals(
                new int[] {1, 0, 1, 0, 2, 2, 0}, TurnTaking.populate(new int[] {3, 0, 3}, new int[] {4, 2, 1}, 7));
    }

    /** The same table's right column: the one in the middle is gone. */
    @Test
    void fillsThePapersExampleWithoutOne() {
        assertArrayEquals(new int[] {0, 0, 0, 0, 1, 1, 1}, TurnTaking.populate(new int[] {3, 3}, new int[] {4, 1}, 7));
    }

    @Test
    void spreadsSlotsToWithinOne() {
        LookupTable table = TurnTaking.build(Population.of(10), 101, new HashSeed(1, 2));
        int[] shares = table.slotsPerReal();
        assertEquals(101, Arrays.stream(shares).sum());
        assertEquals(10, Arrays.stream(shares).min().orElseThrow());
        assertEquals(11, Arrays.stream(shares).max().orElseThrow());
    }
}
