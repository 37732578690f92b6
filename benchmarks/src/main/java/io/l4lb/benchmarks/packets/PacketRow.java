// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.l4lb.benchmarks.report.Statistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One case.
 *
 * @param name of the case
 * @param nanoseconds a packet, median, the floor included; null if there is a problem
 * @param floorMultiple of the floor: median of each round's; null if there is a problem
 * @param floorNanoseconds of the stub, median; null if there is a problem
 * @param goal the multiple that is aimed at
 * @param goalMet whether ours is at most that; null if there is a problem
 * @param problem why nothing was measured; null if it was
 */
public record PacketRow(
        @JsonProperty("case") String name,
        @Nullable Double nanoseconds,
        @Nullable Double floorMultiple,
        @Nullable Double floorNanoseconds,
        int katranNanoseconds,
        double katranMultiple,
        double goal,
        @Nullable Boolean goalMet,
        @Nullable String problem) {
    private static final double DECIMALS = 100;

    /**
     * What a case took in one round.
     *
     * @param floor the stub's time, just before and just after
     */
    record Sample(double nanos, double floor) {}

    static PacketRow of(PacketCase subject, List<Sample> samples) {
        double multiple = median(
                samples.stream().map(sample -> sample.nanos() / sample.floor()).toList());
        double goal = rounded(subject.katran().goal());
        return new PacketRow(
                subject.name(),
                median(samples.stream().map(Sample::nanos).toList()),
                multiple,
                median(samples.stream().map(Sample::floor).toList()),
                subject.katran().nanoseconds(),
                subject.katran().multiple(),
                goal,
                multiple <= goal,
                null);
    }

    static PacketRow failed(PacketCase subject, String problem) {
        return new PacketRow(
                subject.name(),
                null,
                null,
                null,
                subject.katran().nanoseconds(),
                subject.katran().multiple(),
                rounded(subject.katran().goal()),
                null,
                problem);
    }

    private static double median(List<Double> values) {
        return rounded(Statistics.median(values));
    }

    private static double rounded(double value) {
        return Math.round(value * DECIMALS) / DECIMALS;
    }
}
