// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.benchmarks.ipvs.IpvsFigures;
import io.l4lb.benchmarks.ipvs.IpvsRow;
import io.l4lb.benchmarks.ipvs.VirtualMachine;
import io.l4lb.benchmarks.packets.PacketEffort;
import io.l4lb.benchmarks.packets.PacketFigures;
import io.l4lb.benchmarks.packets.PacketRow;
import io.l4lb.benchmarks.report.MeasurementException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code script/bench} starts. */
@Command(
        name = "script/bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures this checkout and prints the figures beside a baseline's and the Maglev paper's.",
        footer = "Results go to standard output, progress to standard error.")
final class Bench implements Callable<Integer> {
    private static final int IPVS_ROUNDS = 3;
    private static final int SERVICES = 1000;
    private static final int QUICK_SERVICES = 200;

    private final Clock clock;
    private final PrintWriter out;
    private final PrintWriter err;

    @Parameters(
            arity = "0..*",
            paramLabel = "WHAT",
            description = "${COMPLETION-CANDIDATES}. Default: all of them but ipvs.")
    private List<Kind> kinds = List.of();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}. Default: table.")
    private Format format = Format.TABLE;

    @Option(names = "--quick", description = "All of it in less than 2 minutes instead of less than 15.")
    private boolean quick;

    @Option(names = "--agent-jvm", description = "Measure under the JVM flags that script/l4lb gives the agent.")
    private boolean agentJvm;

    @Option(names = "--keep", description = "Leave the programs of packets, and their maps, pinned.")
    private boolean keep;

    /** What can be measured. */
    enum Kind {
        TABLES,
        KEYS,
        BALANCE,
        PACKETS,
        IPVS;

        /** As it is typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How results are printed. */
    enum Format {
        TABLE,
        JSON;

        /** As it is typed. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Bench(Clock clock, PrintWriter out, PrintWriter err) {
        this.clock = clock;
        this.out = out;
        this.err = err;
    }

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(commandLine(Clock.systemUTC(), out, err).execute(args));
    }

    static CommandLine commandLine(Clock clock, PrintWriter out, PrintWriter err) {
        return new CommandLine(new Bench(clock, out, err))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler(Bench::failed);
    }

    /** Says why and no more for what the user can help; anything else is our mistake and shown whole. */
    private static int failed(Exception problem, CommandLine command, CommandLine.ParseResult arguments)
            throws Exception {
        if (!(problem instanceof MeasurementException)) {
            throw problem;
        }
        command.getErr().println("script/bench: " + problem.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
    }

    @Override
    public Integer call() {
        Set<Kind> wanted = kinds.isEmpty() ? EnumSet.complementOf(EnumSet.of(Kind.IPVS)) : EnumSet.copyOf(kinds);
        Effort effort = quick ? Effort.quick() : Effort.full();
        List<String> jvmFlags = Forks.flags(agentJvm);
        Forks forks = new Forks(effort, jvmFlags, err);
        Environment environment = Environment.observe(clock, jvmFlags);
        Report report = new Report(
                environment,
                effort,
                wanted.contains(Kind.TABLES) ? TableFigures.measure(effort, forks) : null,
                wanted.contains(Kind.KEYS) ? KeyFigures.measure(forks) : null,
                wanted.contains(Kind.BALANCE)
                        ? BalanceFigures.measure(Paper.REALS, Paper.SIZES, effort.seeds(), err)
                        : null,
                wanted.contains(Kind.PACKETS) ? packets() : null,
                wanted.contains(Kind.IPVS) ? ipvs() : null);
        switch (format) {
            case TABLE -> report.printText(out);
            case JSON -> report.printJson(out);
        }
        return report.complete() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private List<IpvsRow> ipvs() {
        if (VirtualMachine.isHere()) {
            return IpvsFigures.measure(quick ? QUICK_SERVICES : SERVICES, quick ? 1 : IPVS_ROUNDS, err);
        }
        return quick
                ? VirtualMachine.measure("ipvs", "--quick", "-o", "json")
                : VirtualMachine.measure("ipvs", "-o", "json");
    }

    /** What is loaded belongs to the results, but JSON has no place for it. */
    private List<PacketRow> packets() {
        PacketEffort effort = quick ? PacketEffort.quick() : PacketEffort.full();
        return PacketFigures.measure(effort, keep, format == Format.TABLE ? out : err, err);
    }
}
