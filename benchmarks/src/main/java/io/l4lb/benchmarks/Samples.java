// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each subject took in each round: medians within a round come in, medians over the rounds go out. */
final class Samples {
    private final Map<String, List<Double>> byRound = new TreeMap<>();

    void add(String subject, double median) {
        byRound.computeIfAbsent(subject, key -> new ArrayList<>()).add(median);
    }

    /** The subjects, sorted. */
    List<String> subjects() {
        return List.copyOf(byRound.keySet());
    }

    /** Median over the rounds. */
    double median(String subject) {
        return Statistics.median(of(subject));
    }

    /** Median of the ratios within each round: both sides of a ratio saw the same machine. */
    double ratio(String subject, String baseline) {
        List<Double> ours = of(subject);
        List<Double> theirs = of(baseline);
        if (ours.size() != theirs.size()) {
            throw new IllegalStateException(subject + " ran " + ours.size() + " rounds, " + theirs.size());
        }
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ours.size(); round++) {
            ratios.add(ours.get(round) / theirs.get(round));
        }
        return Statistics.median(ratios);
    }

    private List<Double> of(String subject) {
        List<Double> rounds = byRound.get(subject);
        if (rounds == null) {
            throw new IllegalArgumentException("nothing was measured of " + subject);
        }
        return rounds;
    }
}
