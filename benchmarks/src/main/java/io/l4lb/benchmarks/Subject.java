// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One way to fill a table, ours or the baseline's.
 *
 * @param name as rows show it
 */
record Subject(String name, Builder builder) {
    /** Name of the baseline. */
    static final String BASELINE = "baseline";

    /** {@link Scheduler#build}. */
    interface Builder {
        LookupTable build(List<WeightedReal> reals, int size, HashSeed seed);
    }

    static Subject baseline() {
        return new Subject(BASELINE, TurnTaking::build);
    }

    static Subject of(Scheduler scheduler) {
        return new Subject(scheduler.name().toLowerCase(Locale.ROOT), scheduler::build);
    }

    /** Every scheduler there is, the baseline last. */
    static List<Subject> all() {
        return Stream.concat(Stream.of(Scheduler.values()).map(Subject::of), Stream.of(baseline()))
                .toList();
    }
}
