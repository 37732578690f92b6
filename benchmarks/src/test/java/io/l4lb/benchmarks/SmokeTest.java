// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.l4lb.hashing.Scheduler;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark runs: once, on little, in this JVM. Nothing is asserted of times. */
class SmokeTest {
    @Test
    void everyBenchmarkRuns() throws RunnerException {
        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .mode(Mode.SingleShotTime)
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .param("reals", "3")
                        .param("slots", "101")
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run();
        Set<String> ran = results.stream()
                .map(result -> result.getParams().getBenchmark())
                .collect(Collectors.toCollection(TreeSet::new));
        assertFalse(written().isEmpty());
        assertEquals(written(), ran);
        assertEquals(
                Set.of(Scheduler.values()),
                results.stream()
                        .filter(result -> result.getParams().getBenchmark().startsWith(TableBenchmark.class.getName()))
                        .map(result -> Scheduler.valueOf(result.getParams().getParam("scheduler")))
                        .collect(Collectors.toSet()));
    }

    /** The methods that ask to be measured. */
    private static Set<String> written() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.l4lb.benchmarks").stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.isAnnotatedWith(Benchmark.class))
                        .map((JavaMethod method) -> method.getOwner().getName() + "." + method.getName())
                        .collect(Collectors.toCollection(TreeSet::new));
    }
}
