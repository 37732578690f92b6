// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.benchmarks.report.MeasurementException;
import io.l4lb.benchmarks.report.Statistics;
import io.l4lb.test.Machine;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Many services from nothing, and one real's change among them, by the agent's dataplane and by ipvsadm, in turns. Both find
 * IPVS empty, and it is seen to that both make the same of it.
 */
public final class IpvsFigures {
    private static final int REALS = 20;
    private static final int WARM_UP = 100;
    private static final double NANOS = 1e6;
    private static final String[] JVM = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"};

    private final String namespace;
    private final int services;
    private final int rounds;
    private final PrintWriter progress;

    private IpvsFigures(String namespace, int services, int rounds, PrintWriter progress) {
        this.namespace = namespace;
        this.services = services;
        this.rounds = rounds;
        this.progress = progress;
    }

    /**
     * Measures on this machine, whose kernel has to have IPVS.
     *
     * @throws MeasurementException it cannot
     */
    public static List<IpvsRow> measure(int services, int rounds, PrintWriter progress) {
        try (Namespaces namespaces = new Namespaces()) {
            namespaces.make("director");
            namespaces.make("router");
            namespaces.connect("director", "eth0", "router", "director");
            namespaces.ip("director", "addr add 10.0.0.2/24 dev eth0");
            namespaces.ip("director", "route add default via 10.0.0.1");
            IpvsFigures figures = new IpvsFigures(namespaces.name("director"), services, rounds, progress);
            try (NamespaceThread thread = new NamespaceThread(namespaces.name("director"))) {
                return thread.call(figures::all);
            }
        } catch (Exception e) {
            throw new MeasurementException("IPVS", e);
        }
    }

    private List<IpvsRow> all() {
        List<IpvsRow> rows = new ArrayList<>();
        warmUp();
        for (KernelScheduler scheduler : List.of(KernelScheduler.MH, KernelScheduler.WRR)) {
            rows.addAll(measure(new Rules(scheduler, services, REALS)));
        }
        return rows;
    }

    /** With other services than those that are measured. */
    private void warmUp() {
        progress.println("warming up");
        for (KernelScheduler scheduler : List.of(KernelScheduler.LC, KernelScheduler.SH)) {
            List<ServiceProgram> programs = new Rules(scheduler, WARM_UP, REALS / 2).programs();
            try (Director director = new Director()) {
                director.install(programs);
                director.remove(programs);
            }
        }
    }

    private static final class Samples {
        final List<Double> ours = new ArrayList<>();
        final List<Double> cold = new ArrayList<>();
        final List<Double> theirs = new ArrayList<>();
        Map<String, Integer> messages = Map.of();

        IpvsRow row(String work, Rules rules) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < ours.size(); i++) {
                ratios.add(ours.get(i) / theirs.get(i));
            }
            return new IpvsRow(
                    work,
                    rules.scheduler().key(),
                    Statistics.median(ours),
                    cold.isEmpty() ? null : Statistics.median(cold),
                    Statistics.median(theirs),
                    Statistics.median(ratios),
                    messages);
        }
    }

    private List<IpvsRow> measure(Rules rules) {
        Samples full = new Samples();
        Samples one = new Samples();
        for (int round = 1; round <= rounds; round++) {
            progress.printf(
                    "round %d of %d: %s%n", round, rounds, rules.scheduler().key());
            List<String> made = ours(rules, full, one);
            full.cold.add(cold(rules));
            if (!made.equals(ipvsadm(rules, full, one))) {
                throw new IllegalStateException("ipvsadm makes other services than the agent");
            }
        }
        return List.of(
                full.row(rules.services() + " services with " + rules.reals() + " reals", rules),
                one.row("one real of them goes down", rules));
    }

    private List<String> ours(Rules rules, Samples full, Samples one) {
        List<ServiceProgram> programs = rules.programs();
        ServiceProgram changed = rules.changed();
        clear();
        try (Director director = new Director()) {
            full.ours.add(told("agent", millis(() -> director.install(programs))));
            full.messages = director.changes();
            one.ours.add(millis(() -> director.install(List.of(changed))));
            one.messages = director.changes();
            return saved();
        }
    }

    private double cold(Rules rules) {
        clear();
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of(JVM));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ColdInstall.class.getName()));
        command.addAll(
                List.of(rules.scheduler().name(), Integer.toString(rules.services()), Integer.toString(rules.reals())));
        return told("agent in a new JVM", millis(() -> Machine.run(command.toArray(String[]::new))));
    }

    private List<String> ipvsadm(Rules rules, Samples full, Samples one) {
        String text = rules.restore();
        List<String> edit = new ArrayList<>(List.of("ipvsadm"));
        edit.addAll(rules.edit());
        clear();
        full.theirs.add(told("ipvsadm", millis(() -> Machine.runWithInput(text, "ipvsadm", "-R"))));
        one.theirs.add(millis(() -> Machine.run(edit.toArray(String[]::new))));
        return saved();
    }

    private double told(String who, double millis) {
        progress.printf("  %s: %.0f ms%n", who, millis);
        return millis;
    }

    private static void clear() {
        Machine.run("ipvsadm", "-C");
    }

    private static List<String> saved() {
        return Machine.run("ipvsadm", "-Sn").lines().sorted().toList();
    }

    private static double millis(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / NANOS;
    }
}
