// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.simulation.Balance;
import io.l4lb.hashing.simulation.Disruption;
import io.l4lb.hashing.simulation.Event;
import io.l4lb.hashing.simulation.Holding;
import io.l4lb.hashing.simulation.SimulationResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Figures that were made up, as text. */
class SimulationReportTest {
    private static final Terminal TERMINAL = new Terminal(60, false);
    private static final Scheduler SCHEDULER =
            Stream.of(Scheduler.values()).findFirst().orElseThrow();
    private static final String NAME = SCHEDULER.key();

    private static Holding holding(String identity, int slots, double share) {
        return new Holding(new WeightedReal(identity, 1), slots, share);
    }

    private static SimulationResult result(List<Holding> holdings, Disruption... disruptions) {
        return new SimulationResult(SCHEDULER, new Balance(101, holdings), List.of(disruptions));
    }

    private static List<String> printed(boolean wide, SimulationResult... results) {
        SimulatedTable table = SimulatedTable.ofEqual(2, 101);
        StringWriter out = new StringWriter();
        new SimulationReport(table, List.of(results)).print(wide, TERMINAL, new PrintWriter(out));
        return out.toString().lines().toList();
    }

    /** Lines without the column of schedulers, whose width depends on their names. */
    private static String withoutFirstColumn(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceFirst("^\\S+ +", "") + "\n")
                .collect(Collectors.joining());
    }

    private static String chart(List<String> lines) {
        return lines.subList(lines.indexOf("") + 1, lines.size()).stream()
                .map(line -> line.replace(NAME, "SOME") + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void fewReals() {
        SimulationResult result = result(
                List.of(holding("10.0.0.1", 60, 50.5), holding("10.0.0.2", 41, 50.5)),
                new Disruption(Event.LEAVE, 2, 50.5, 60, 50.5, 1),
                new Disruption(Event.REWEIGHT, 2, 3, 4, 0.25, 1.25));
        List<String> text = printed(false, result);
        assertEquals("""
                EVENT     MOVED  UNAVOIDABLE  RATIO  MAX/AVG
                (none)        -            -      -    1.188
                leave      50.5         50.5   1.00    1.000
                reweight    3.0          0.3      -    1.250
                """, withoutFirstColumn(text.subList(0, 4)));
        assertEquals("""
                Slots of each real, and how far that is off its share:

                SOME: 41 to 60 slots a real, 50.5 on average; -18.81% to +18.81% off the share
                10.0.0.1  60  +18.81%  #####################################
                10.0.0.2  41  -18.81%  #########################
                """, chart(text));
        assertEquals("""
                EVENT     MOVED  UNAVOIDABLE  RATIO  MAX/AVG  MIN/AVG  WORST  TRIALS
                (none)        -            -      -    1.188    0.812      -       -
                leave      50.5         50.5   1.00    1.000        -     60       2
                reweight    3.0          0.3      -    1.250        -      4       2
                """, withoutFirstColumn(printed(true, result).subList(0, 4)));
    }

    @Test
    void manyReals() {
        List<Holding> even =
                IntStream.range(0, 20).mapToObj(i -> holding("r" + i, 100, 100)).toList();
        List<Holding> uneven = IntStream.range(0, 20)
                .mapToObj(i -> holding("r" + i, i < 4 ? 82 : i < 16 ? 100 : 121, 100))
                .toList();
        List<String> text = printed(false, result(even), result(uneven));
        assertEquals("""
                Number of reals by how far they are off their share:

                SOME: 100 to 100 slots a real, 5.1 on average; 0.00% to 0.00% off the share
                   -20%   0
                   -15%   0
                   -10%   0
                    -5%   0
                     0%  20  ###############################################
                    +5%   0
                   +10%   0
                   +15%   0
                   +20%   0

                SOME: 82 to 121 slots a real, 5.1 on average; -18.00% to +21.00% off the share
                   -20%   4  #########
                   -15%   0
                   -10%   0
                    -5%   0
                     0%  12  ############################
                    +5%   0
                   +10%   0
                   +15%   0
                   +20%   4  #########
                """, chart(text));
    }

    @Test
    void nobodyHasNoChart() {
        assertEquals(2, printed(false, result(List.of())).size());
    }

    @Test
    void extremesFit() {
        List<Holding> extremes = IntStream.range(0, 20)
                .mapToObj(i -> holding("r" + i, i == 0 ? 5_000_000 : 0, 1))
                .toList();
        List<String> chart = printed(false, result(extremes));
        assertTrue(chart.size() < 25, chart.toString());
        assertTrue(chart.stream().allMatch(line -> line.length() <= 100), chart.toString());
    }
}
