// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import java.util.List;

/** How long the hash of a flow takes. */
final class KeyFigures {
    private static final String BASELINE = Forks.subject(KeyBenchmark.class, "crc32", "");

    private KeyFigures() {}

    /**
     * One way to hash.
     *
     * @param nanos by the clock
     * @param cpuNanos by the processor: the same on an idle machine
     * @param ratio of processor time to the baseline's, CRC-32 of the same 40 bytes
     */
    record Row(String hash, double nanos, double cpuNanos, double ratio) {}

    static List<Row> measure(Forks forks) {
        Samples samples = forks.measure(List.of(new Forks.Group("keys", List.of(KeyBenchmark.class), List.of())))
                .get(0);
        return samples.subjects().stream()
                .map(subject -> new Row(
                        subject.substring(subject.lastIndexOf('.') + 1),
                        samples.wall(subject),
                        samples.cpu(subject),
                        samples.ratio(subject, BASELINE)))
                .toList();
    }
}
