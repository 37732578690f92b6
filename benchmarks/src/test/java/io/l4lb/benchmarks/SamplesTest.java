// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void ratiosAreTakenWithinARound() {
        Samples samples = new Samples();
        // The machine was ten times slower in the second round, and in the third for one of the two.
        samples.add("ours", 2);
        samples.add("ours", 20);
        samples.add("ours", 30);
        samples.add("theirs", 1);
        samples.add("theirs", 10);
        samples.add("theirs", 1);
        assertEquals(20, samples.median("ours"));
        assertEquals(2, samples.ratio("ours", "theirs"));
        assertEquals(List.of("ours", "theirs"), samples.subjects());
    }

    @Test
    void aRatioNeedsBothSidesOfEveryRound() {
        Samples samples = new Samples();
        samples.add("ours", 2);
        assertThrows(IllegalArgumentException.class, () -> samples.ratio("ours", "theirs"));
        samples.add("theirs", 1);
        samples.add("theirs", 1);
        assertThrows(IllegalStateException.class, () -> samples.ratio("ours", "theirs"));
    }

    @Test
    void theMedianOfTwoIsTheirMean() {
        assertEquals(1.5, Statistics.median(List.of(2.0, 1.0)));
        assertThrows(IllegalArgumentException.class, () -> Statistics.median(List.of()));
    }
}
