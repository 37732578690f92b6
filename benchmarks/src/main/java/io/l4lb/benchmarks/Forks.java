// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.benchmarks.report.MeasurementException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in JVMs of their own, round by round: what is compared runs close together in time, and a machine
 * that is busy for a while disturbs one round, not one subject.
 */
final class Forks {
    private static final double MEDIAN = 50;
    private static final int UNSAFE_WARNS_SINCE = 24;

    private final Effort effort;
    private final List<String> jvmFlags;
    private final PrintWriter progress;

    Forks(Effort effort, List<String> jvmFlags, PrintWriter progress) {
        this.effort = effort;
        this.jvmFlags = List.copyOf(jvmFlags);
        this.progress = progress;
    }

    /**
     * Benchmarks that are compared with each other.
     *
     * @param title for the eye
     * @param parameters the values of JMH's parameters; those that a class has not are ignored there
     */
    record Group(String title, List<Class<?>> benchmarks, List<Parameter> parameters) {
        Group {
            benchmarks = List.copyOf(benchmarks);
            parameters = List.copyOf(parameters);
        }
    }

    /** Values of one of JMH's parameters. */
    record Parameter(String name, List<String> values) {
        Parameter {
            values = List.copyOf(values);
        }
    }

    /**
     * Measures each group in every round.
     *
     * @return for each group what its subjects took, by {@link #subject}
     * @throws MeasurementException if a benchmark fails, or another one runs on this machine
     */
    List<Samples> measure(List<Group> groups) {
        List<Samples> samples = groups.stream().map(group -> new Samples()).toList();
        for (int round = 1; round <= effort.rounds(); round++) {
            for (int i = 0; i < groups.size(); i++) {
                progress.printf(
                        "round %d of %d: %s%n",
                        round, effort.rounds(), groups.get(i).title());
                for (RunResult result : run(groups.get(i))) {
                    samples.get(i).add(subjectOf(result), sampleOf(result));
                }
            }
        }
        return samples;
    }

    /** Name of what a benchmark's method measures, with the scheduler if it has that parameter. */
    static String subject(Class<?> benchmark, String method, String scheduler) {
        return benchmark.getName() + "." + method + (scheduler.isEmpty() ? "" : "/" + scheduler);
    }

    private static String subjectOf(RunResult result) {
        String scheduler = result.getParams().getParam("scheduler");
        return result.getParams().getBenchmark() + (scheduler == null ? "" : "/" + scheduler);
    }

    private static Samples.Sample sampleOf(RunResult result) {
        Result<?> cpu = result.getSecondaryResults().get(CpuTime.LABEL);
        if (cpu == null) {
            throw new IllegalStateException("no processor time of " + subjectOf(result));
        }
        double unit = result.getParams().getTimeUnit().toNanos(1);
        return new Samples.Sample(median(result.getPrimaryResult()), median(cpu) / unit);
    }

    private static double median(Result<?> result) {
        return result.getStatistics().getPercentile(MEDIAN);
    }

    private Iterable<RunResult> run(Group group) {
        TimeValue iteration = TimeValue.milliseconds(effort.iterationMillis());
        ChainedOptionsBuilder options = new OptionsBuilder()
                .forks(1)
                .jvmArgs(jvmFlags.toArray(String[]::new))
                .warmupIterations(effort.warmUps())
                .warmupTime(iteration)
                .measurementIterations(effort.iterations())
                .measurementTime(iteration)
                .addProfiler(CpuTime.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        group.benchmarks().forEach(benchmark -> options.include("\\." + benchmark.getSimpleName() + "\\."));
        group.parameters()
                .forEach(parameter ->
                        options.param(parameter.name(), parameter.values().toArray(String[]::new)));
        try {
            return new Runner(options.build()).run();
        } catch (RunnerException e) {
            throw new MeasurementException(group.title(), e);
        }
    }

    /** Flags of the measured JVMs: a heap large enough that collections are rare; or what script/l4lb starts. */
    static List<String> flags(boolean agentJvm) {
        List<String> flags = new ArrayList<>(
                agentJvm
                        ? Arrays.asList("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                        : Arrays.asList("-XX:+UseSerialGC", "-Xms1g", "-Xmx1g"));
        if (Runtime.version().feature() >= UNSAFE_WARNS_SINCE) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }
}
