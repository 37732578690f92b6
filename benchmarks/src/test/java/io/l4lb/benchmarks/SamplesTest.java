// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.benchmarks.report.Statistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
    @Test
    void ratiosAreTakenWithinARound() {
        Samples samples = new Samples();
        // The machine was ten times slower in the second round, and in the third for one of the two.
        samples.add("ours", new Samples.Sample(2, 2));
        samples.add("ours", new Samples.Sample(20, 20));
        samples.add("ours", new Samples.Sample(30, 30));
        samples.add("theirs", new Samples.Sample(1, 1));
        samples.add("theirs", new Samples.Sample(10, 10));
        samples.add("theirs", new Samples.Sample(1, 1));
        assertEquals(20, samples.wall("ours"));
        assertEquals(2, samples.ratio("ours", "theirs"));
        assertEquals(List.of("ours", "theirs"), samples.subjects());
    }

    @Test
    void aRatioNeedsBothSidesOfEveryRound() {
        Samples samples = new Samples();
        samples.add("ours", new Samples.Sample(2, 2));
        assertThrows(IllegalArgumentException.class, () -> samples.ratio("ours", "theirs"));
        samples.add("theirs", new Samples.Sample(1, 1));
        samples.add("theirs", new Samples.Sample(1, 1));
        assertThrows(IllegalStateException.class, () -> samples.ratio("ours", "theirs"));
    }

    @Test
    void theMedianOfTwoIsTheirMean() {
        assertEquals(1.5, Statistics.median(List.of(2.0, 1.0)));
        assertThrows(IllegalArgumentException.class, () -> Statistics.median(List.of()));
    }
}
