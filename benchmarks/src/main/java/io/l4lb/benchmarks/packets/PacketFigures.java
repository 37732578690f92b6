// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.benchmarks.packets.Expectation.Memory;
import io.l4lb.benchmarks.packets.PacketRow.Sample;
import io.l4lb.benchmarks.report.MeasurementException;
import io.l4lb.xdp.BpfException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a packet costs the balancer, by case. Every case has its turn in every round, between two of its floor, so that
 * both sides of a multiple see the same machine. A packet that does not go the way that its case is about is not timed.
 */
public final class PacketFigures {
    private final PacketLab lab;
    private final PacketEffort effort;
    private final List<PacketCase> cases;
    private final Map<PacketCase, List<Sample>> samples = new LinkedHashMap<>();
    private final Map<PacketCase, String> problems = new HashMap<>();
    private final Map<PacketCase, Integer> next = new HashMap<>();

    private PacketFigures(PacketLab lab, PacketEffort effort) {
        this.lab = lab;
        this.effort = effort;
        this.cases = PacketCases.all().stream()
                .map(subject -> subject.atMost(effort.flows()))
                .toList();
    }

    /**
     * Measures all cases.
     *
     * @param keep whether to leave what was loaded pinned
     * @param description where it is said what is loaded
     * @throws MeasurementException if this is not root, or the machine has no BPF or network namespaces
     */
    public static List<PacketRow> measure(
            PacketEffort effort, boolean keep, PrintWriter description, PrintWriter progress) {
        Processor.stayOnOne(progress);
        try (PacketLab lab = new PacketLab(effort.flowTableSize())) {
            PacketFigures figures = new PacketFigures(lab, effort);
            new LoadedText(lab, figures.cases).print(description, keep);
            List<PacketRow> rows = figures.measure(progress);
            if (keep) {
                lab.keep();
            }
            return rows;
        } catch (BpfException e) {
            throw new MeasurementException("packets", e);
        }
    }

    private List<PacketRow> measure(PrintWriter progress) {
        for (PacketCase subject : cases) {
            Verification.check(subject, lab.director(subject.balancer()))
                    .ifPresent(problem -> problems.put(subject, problem));
        }
        progress.println("warming up");
        fillFlowTable();
        round();
        samples.clear();
        for (int round = 1; round <= effort.rounds(); round++) {
            progress.printf("round %d of %d: packets%n", round, effort.rounds());
            round();
        }
        return cases.stream().map(this::row).toList();
    }

    private PacketRow row(PacketCase subject) {
        String problem = problems.get(subject);
        return problem == null
                ? PacketRow.of(subject, samples.getOrDefault(subject, List.of()))
                : PacketRow.failed(subject, problem);
    }

    private void round() {
        for (PacketCase subject : cases) {
            if (!problems.containsKey(subject)) {
                sample(subject).ifPresent(problem -> problems.put(subject, problem));
            }
        }
    }

    /** Flows that are inserted push out others, as they do when the table has been in use for a while. */
    private void fillFlowTable() {
        for (PacketCase subject : cases) {
            if (subject.expectation().memory() == Memory.INSERTED && !problems.containsKey(subject)) {
                send(subject, lab.director(subject.balancer()).configuration().flowTableSize());
            }
        }
    }

    /** Times a case once; returns what is wrong with it. */
    private Optional<String> sample(PacketCase subject) {
        Director director = lab.director(subject.balancer());
        Traffic traffic = subject.traffic();
        boolean found = subject.expectation().memory() == Memory.FOUND;
        int packets = found ? Math.max(effort.packets(), traffic.flows()) : effort.packets();
        if (found) {
            traffic.opening().ifPresent(opening -> director.program().testRun(opening));
            lab.wrapper(subject.balancer()).send(traffic, 0, traffic.flows());
        }
        double floorBefore = floor(subject);
        Map<String, Long> before = director.verdicts();
        PacketWrapper.Outcome outcome = send(subject, packets);
        Map<String, Long> after = director.verdicts();
        double floor = (floorBefore + floor(subject)) / 2;
        samples.computeIfAbsent(subject, key -> new ArrayList<>()).add(new Sample(outcome.nanos(), floor));
        return Verification.returned(subject, packets, outcome.returned())
                .or(() -> Verification.counts(subject, packets, before, after))
                .or(() -> Verification.memory(subject, director, outcome.next()));
    }

    private PacketWrapper.Outcome send(PacketCase subject, int packets) {
        PacketWrapper.Outcome outcome =
                lab.wrapper(subject.balancer()).send(subject.traffic(), next.getOrDefault(subject, 0), packets);
        next.put(subject, outcome.next());
        return outcome;
    }

    private double floor(PacketCase subject) {
        return lab.wrapper(subject.floor())
                .send(subject.traffic().atMost(1), 0, effort.packets())
                .nanos();
    }
}
