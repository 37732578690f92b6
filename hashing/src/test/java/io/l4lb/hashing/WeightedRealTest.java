// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class WeightedRealTest {
    @Test
    void weightZeroIsDrained() {
        assertEquals(0, new WeightedReal("a", 0).weight());
    }

    @Test
    void refusesNegativeWeightsAndNoIdentity() {
        assertThrows(IllegalArgumentException.class, () -> new WeightedReal("a", -1));
        assertThrows(IllegalArgumentException.class, () -> new WeightedReal("", 1));
    }
}
