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
     * @param full a table from nothing
     * @param oneChanged the next table after one real went down or came back
     * @param paperMillis what the paper has for a table; null where it has nothing
     */
    record Row(
            String scheduler,
            int reals,
            int slots,
            Time full,
            Time oneChanged,
            @Nullable Double paperMillis) {}

    /**
     * What a table takes.
     *
     * @param millis by the clock
     * @param cpuMillis by the processor: the same on an idle machine
     * @param ratio of processor time to the baseline's for the same, both of the same round
     */
    record Time(double millis, double cpuMillis, double ratio) {}

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
        String name = scheduler.isEmpty() ? Subject.BASELINE : scheduler.toLowerCase(Locale.ROOT);
        return new Row(
                name,
                reals,
                slots,
                time(FULL, scheduler, samples),
                time(ONE_CHANGED, scheduler, samples),
                Paper.buildMillis(name, reals, slots));
    }

    private static Time time(String method, String scheduler, Samples samples) {
        Class<?> benchmark = scheduler.isEmpty() ? TurnTakingBenchmark.class : TableBenchmark.class;
        String subject = Forks.subject(benchmark, method, scheduler);
        String baseline = Forks.subject(TurnTakingBenchmark.class, method, "");
        return new Time(samples.wall(subject), samples.cpu(subject), samples.ratio(subject, baseline));
    }
}
