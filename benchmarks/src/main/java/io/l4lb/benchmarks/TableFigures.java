// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How long tables take to build. */
final class TableFigures {
    private static final String FULL = "full";
    private static final String ONE_CHANGED = "oneChanged";

    private TableFigures() {}

    /**
     * One scheduler at one size.
     *
     * @param fullMillis a table of reals never seen before
     * @param fullRatio the same as a multiple of the baseline's, both of the same round
     * @param oneChangedMillis the next table after one real went down or came back
     * @param oneChangedRatio as a multiple of the baseline's
     * @param paperMillis what the paper has; null where it has nothing
     */
    record Row(
            String scheduler,
            int reals,
            int slots,
            double fullMillis,
            double fullRatio,
            double oneChangedMillis,
            double oneChangedRatio,
            @Nullable Double paperMillis) {}

    static List<Row> measure(Effort effort, Forks forks) {
        List<Forks.Group> groups = new ArrayList<>();
        for (int slots : Paper.SIZES) {
            for (int reals : effort.realCounts()) {
                groups.add(group(reals, slots));
            }
        }
        List<Samples> samples = forks.measure(groups);
        List<Row> rows = new ArrayList<>();
        int group = 0;
        for (int slots : Paper.SIZES) {
            for (int reals : effort.realCounts()) {
                Samples ofGroup = samples.get(group++);
                for (Scheduler scheduler : Scheduler.values()) {
                    rows.add(row(scheduler.name(), reals, slots, ofGroup));
                }
                rows.add(row("", reals, slots, ofGroup));
            }
        }
        return rows;
    }

    private static Forks.Group group(int reals, int slots) {
        List<String> schedulers =
                Stream.of(Scheduler.values()).map(Scheduler::name).toList();
        return new Forks.Group(
                "tables of " + slots + " slots, " + reals + " reals",
                List.of(TableBenchmark.class, TurnTakingBenchmark.class),
                List.of(
                        new Forks.Parameter("scheduler", schedulers),
                        new Forks.Parameter("reals", List.of(Integer.toString(reals))),
                        new Forks.Parameter("slots", List.of(Integer.toString(slots)))));
    }

    /** The scheduler's row, or without a name the baseline's. */
    private static Row row(String scheduler, int reals, int slots, Samples samples) {
        Class<?> benchmark = scheduler.isEmpty() ? TurnTakingBenchmark.class : TableBenchmark.class;
        String name = scheduler.isEmpty() ? Subject.BASELINE : scheduler.toLowerCase(Locale.ROOT);
        String full = Forks.subject(benchmark, FULL, scheduler);
        String oneChanged = Forks.subject(benchmark, ONE_CHANGED, scheduler);
        return new Row(
                name,
                reals,
                slots,
                samples.median(full),
                samples.ratio(full, Forks.subject(TurnTakingBenchmark.class, FULL, "")),
                samples.median(oneChanged),
                samples.ratio(oneChanged, Forks.subject(TurnTakingBenchmark.class, ONE_CHANGED, "")),
                Paper.buildMillis(name, reals, slots).stream().boxed().findAny().orElse(null));
    }
}
