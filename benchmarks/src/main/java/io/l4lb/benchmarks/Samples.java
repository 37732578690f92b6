// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.benchmarks.report.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each subject took in each round: medians within a round come in, medians over the rounds go out. */
final class Samples {
    private final Map<String, List<Sample>> byRound = new TreeMap<>();

    /**
     * One round, in the unit of the benchmark.
     *
     * @param wall by the clock
     * @param cpu by the processor, see {@link CpuTime}
     */
    record Sample(double wall, double cpu) {}

    void add(String subject, Sample sample) {
        byRound.computeIfAbsent(subject, key -> new ArrayList<>()).add(sample);
    }

    /** The subjects, sorted. */
    List<String> subjects() {
        return List.copyOf(byRound.keySet());
    }

    double wall(String subject) {
        return Statistics.median(of(subject).stream().map(Sample::wall).toList());
    }

    double cpu(String subject) {
        return Statistics.median(of(subject).stream().map(Sample::cpu).toList());
    }

    /** Median of the ratios of processor time within each round: both sides of a ratio saw the same machine. */
    double ratio(String subject, String baseline) {
        List<Sample> ours = of(subject);
        List<Sample> theirs = of(baseline);
        if (ours.size() != theirs.size()) {
            throw new IllegalStateException(
                    subject + " ran " + ours.size() + " rounds, " + baseline + " " + theirs.size());
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ours.size(); round++) {
            ratios.add(ours.get(round).cpu() / theirs.get(round).cpu());
        }
        return Statistics.median(ratios);
    }

    private List<Sample> of(String subject) {
        List<Sample> rounds = byRound.get(subject);
        if (rounds == null) {
            throw new IllegalArgumentException("nothing was measured of " + subject);
        }
        return rounds;
    }
}
