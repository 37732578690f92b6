// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
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

/** How long a table takes, from the list of reals to the finished {@link LookupTable}, for each scheduler. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class TableBenchmark {
    static final HashSeed SEED = new HashSeed(0x6c346c622062656eL, 0x63686d61726b7321L);

    /** All of them: that is what JMH takes for an enum without values. */
    @Param
    public Scheduler scheduler = Scheduler.MAGLEV;

    @Param({"10", "100", "1000"})
    public int reals;

    @Param({"65537", "655373"})
    public int slots;

    private List<WeightedReal> all = List.of();
    private List<WeightedReal> oneDrained = List.of();
    private boolean drained;

    @Setup
    public void setUp() {
        all = Population.of(reals);
        oneDrained = Population.drained(all, reals / 2);
    }

    /** A table from nothing. */
    @Benchmark
    public LookupTable full() {
        return scheduler.build(all, slots, SEED);
    }

    /** The next table after one real went down or came back, by turns. */
    @Benchmark
    public LookupTable oneChanged() {
        drained = !drained;
        return scheduler.build(drained ? oneDrained : all, slots, SEED);
    }
}
