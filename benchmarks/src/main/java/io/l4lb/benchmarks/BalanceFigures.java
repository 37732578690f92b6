// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.benchmarks.report.Statistics;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** How evenly slots are spread over equal reals, and what moves when one of them leaves. No clock is read. */
final class BalanceFigures {
    private static final double PER_CENT = 100;

    private BalanceFigures() {}

    /**
     * One scheduler at one size.
     *
     * @param ownSlots what the leaving real had; median over the seeds
     * @param overProvisioning by how many per cent the largest share is above the average
     * @param movedBeyondOwn slots of others that change hands when one real leaves
     */
    record Row(
            String scheduler, int reals, int slots, double ownSlots, Figure overProvisioning, Figure movedBeyondOwn) {}

    /**
     * One property under several seeds.
     *
     * @param worst the largest
     * @param paper null where the paper has none
     */
    record Figure(double median, double worst, @Nullable Double paper) {
        static Figure of(List<Double> values, @Nullable Double paper) {
            return new Figure(Statistics.median(values), Statistics.worst(values), paper);
        }
    }

    static List<Row> measure(int reals, List<Integer> sizes, int seeds, PrintWriter progress) {
        List<Row> rows = new ArrayList<>();
        for (int slots : sizes) {
            for (Subject subject : Subject.all()) {
                progress.printf("balance of %s, %d slots, %d seeds%n", subject.name(), slots, seeds);
                rows.add(row(subject, reals, slots, seeds));
            }
        }
        return rows;
    }

    private static Row row(Subject subject, int count, int slots, int seeds) {
        List<WeightedReal> reals = Population.of(count);
        List<Double> over = new ArrayList<>();
        List<Double> own = new ArrayList<>();
        List<Double> beyond = new ArrayList<>();
        // The same seeds and the same leaving reals for everybody.
        Random random = new Random(count);
        for (int i = 0; i < seeds; i++) {
            HashSeed seed = new HashSeed(random.nextLong(), random.nextLong());
            int leaving = random.nextInt(count);
            LookupTable table = subject.builder().build(reals, slots, seed);
            LookupTable after = subject.builder().build(Population.without(reals, leaving), slots, seed);
            int[] shares = table.slotsPerReal();
            int largest = Arrays.stream(shares).max().orElseThrow();
            over.add(((double) largest * count / slots - 1) * PER_CENT);
            own.add((double) shares[leaving]);
            beyond.add((double) (after.moved(table) - shares[leaving]));
        }
        String name = subject.name();
        return new Row(
                name,
                count,
                slots,
                Statistics.median(own),
                Figure.of(over, Paper.overProvisioning(name, count, slots)),
                Figure.of(beyond, Paper.movedBeyondOwn(name)));
    }
}
