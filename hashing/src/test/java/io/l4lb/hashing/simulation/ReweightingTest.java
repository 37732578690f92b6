// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.WeightedReal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReweightingTest {
    @ParameterizedTest
    @CsvSource({
        // Whole as it is.
        "100, 100, 1.01, 100, 101",
        "4, 2, 0.5, 2, 2",
        // Scaled up until it is whole.
        "1, 1, 1.01, 100, 101",
        "1, 5, 1.1, 50, 11",
        "10, 1, 0.995, 1000, 9950",
        // Never to nothing, never to what it was.
        "1, 1, 0.00001, 10000, 1",
        "1, 1, 1.0000001, 10000, 10001",
        "1, 1, 0.9999999, 10000, 9999",
        // Scaled no further than weights go.
        "2147483647, 1, 2, 1, 2147483647",
        "2147483647, 1, 0.5, 1, 1073741824",
        "1000000000, 1, 1.0000000001, 1, 1000000001",
    })
    void changesOneWeight(int weight, int other, double factor, int otherScaled, int expected) {
        List<WeightedReal> reals = List.of(new WeightedReal("a", other), new WeightedReal("b", weight));
        List<WeightedReal> after = Reweighting.of(reals, factor).at(1);
        assertEquals("b", after.get(1).identity());
        assertEquals(expected, after.get(1).weight());
        assertEquals(otherScaled, after.get(0).weight());
    }
}
