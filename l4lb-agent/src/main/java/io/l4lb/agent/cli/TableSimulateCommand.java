// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.Json;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.simulation.Simulation;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code l4lb table simulate}: needs no agent. */
@Command(
        name = "simulate",
        description = {
            "Try with real lookup tables what adding, losing and reweighting reals does, for each scheduler."
                    + " Needs neither an agent nor root.",
            "",
            "MOVED: slots that name another real after the event, so the share of flows that would go elsewhere."
                    + " UNAVOIDABLE: those that have to, since the reals are due other shares. RATIO: the one over"
                    + " the other. MAX/AVG: the slots of the real that is burdened most, over what it is due. MOVED and"
                    + " UNAVOIDABLE are averages over the trials, MAX/AVG is of the worst; each trial is another choice"
                    + " of the real. Wide output adds the least burdened real, the most slots moved, and the trials."
        })
final class TableSimulateCommand implements Callable<Integer> {
    private final Program program;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private @Nullable Subject subject;

    @Option(names = "--service", paramLabel = "NAME", description = "Only this service of FILE.")
    private @Nullable String service;

    @Option(
            names = "--table-size",
            paramLabel = "SLOTS",
            converter = SimulationOptions.TableSize.class,
            description = "A prime. Default: what FILE says for the service; 65537.")
    private @Nullable Integer tableSize;

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            converter = SimulationOptions.Schedulers.class,
            description = "One scheduler, or all; may be given several times. Default: all.")
    private @Nullable List<SimulationOptions.Choice> schedulers;

    @Option(
            names = "--reweight",
            paramLabel = "PERCENT",
            defaultValue = "1%",
            converter = SimulationOptions.Reweight.class,
            description = "By how much the weight of a real changes, as 10%% or -50%%. Default: 1%%.")
    private SimulationOptions.Change reweight = SimulationOptions.change("1%");

    @Option(
            names = "--seed",
            paramLabel = "HEX",
            converter = SimulationOptions.Seed.class,
            description = "32 hexadecimal digits. Default: the hash-seed-file of FILE if it can be read; zeros.")
    private @Nullable HashSeed seed;

    /** One or the other. */
    private static final class Subject {
        @Parameters(paramLabel = "FILE", description = "A configuration: simulate the tables of its services.")
        private @Nullable Path file;

        @Option(
                names = "--reals",
                paramLabel = "N",
                converter = SimulationOptions.Reals.class,
                description = "Simulate this many reals of the same weight.")
        private @Nullable Integer reals;
    }

    TableSimulateCommand(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        Optional<SimulationInput> input = input();
        if (input.isEmpty()) {
            return ExitCode.REFUSED.code();
        }
        input.get().tables().forEach(this::requireEnoughSlots);
        List<SimulationReport> reports = input.get().tables().stream()
                .map(table -> simulate(table, input.get().seed()))
                .toList();
        OutputOption.Format format = OutputOption.format(spec());
        if (format == OutputOption.Format.JSON) {
            out().println(Json.pretty(
                    reports.stream().flatMap(report -> report.rows().stream()).toList()));
        } else {
            print(reports, input.get().seedText(), format == OutputOption.Format.WIDE);
        }
        return ExitCode.OK.code();
    }

    private void print(List<SimulationReport> reports, String seedText, boolean wide) {
        for (int i = 0; i < reports.size(); i++) {
            if (i > 0) {
                out().println();
            }
            out().println(Table.printable(reports.get(i).table().title() + ", " + seedText));
            out().println("reweight: the weight of one real " + reweight.text());
            out().println();
            reports.get(i).print(wide, Terminal.of(program.environment()), out());
        }
    }

    private SimulationReport simulate(SimulatedTable table, HashSeed seedOfAll) {
        Simulation simulation = new Simulation(
                table.reals(),
                table.size(),
                seedOfAll,
                reweight.factor(),
                Simulation.affordableTrials(table.reals().size(), table.size()));
        return new SimulationReport(
                table, chosenSchedulers().stream().map(simulation::run).toList());
    }

    private List<Scheduler> chosenSchedulers() {
        return schedulers == null
                ? List.of(Scheduler.values())
                : schedulers.stream()
                        .flatMap(choice -> choice.schedulers().stream())
                        .distinct()
                        .toList();
    }

    /** Empty: there is none, and it was said why. */
    private Optional<SimulationInput> input() {
        Subject given = Objects.requireNonNull(subject);
        if (given.reals == null) {
            return new SimulationInput.OfFile(
                            Optional.ofNullable(service),
                            Optional.ofNullable(tableSize),
                            problem -> complain(problem.toString()),
                            message -> complain(spec().qualifiedName() + ": " + message))
                    .read(Objects.requireNonNull(given.file), Optional.ofNullable(seed));
        }
        if (service != null) {
            throw wrong("--service is of a FILE, not of --reals");
        }
        int size = tableSize == null ? LookupTable.DEFAULT_SIZE : tableSize;
        return Optional.of(SimulationInput.of(SimulatedTable.ofEqual(given.reals, size), Optional.ofNullable(seed)));
    }

    private void requireEnoughSlots(SimulatedTable table) {
        if (table.size() < table.reals().size()) {
            throw wrong("--table-size " + table.size() + " is less than the number of reals, "
                    + table.reals().size());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec().commandLine(), message);
    }

    private void complain(String message) {
        PrintWriter err = spec().commandLine().getErr();
        err.println(Table.printable(message));
        err.flush();
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
