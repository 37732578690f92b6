// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The same work as {@link TableBenchmark}, done by the baseline. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class TurnTakingBenchmark {
    @Param({"10", "100", "1000"})
    public int reals;

    @Param({"65537", "655373"})
    public int slots;

    private List<WeightedReal> all = List.of();
    private List<WeightedReal> oneLess = List.of();
    private boolean less;

    @Setup
    public void setUp() {
        all = Population.of(reals);
        oneLess = Population.without(all, reals / 2);
    }

    @Benchmark
    public LookupTable full() {
        return TurnTaking.build(all, slots, TableBenchmark.SEED);
    }

    /** The paper's table is always built from nothing. */
    @Benchmark
    public LookupTable oneChanged() {
        less = !less;
        return TurnTaking.build(less ? oneLess : all, slots, TableBenchmark.SEED);
    }
}
