// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.hashing.simulation.Balance;
import io.l4lb.hashing.simulation.Holding;
import io.l4lb.hashing.simulation.SimulationResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bars that show how evenly schedulers spread the slots of a table: one for each real, or, if there are many, one for
 * all reals whose slots are about as much off their share. All schedulers have the same scale.
 */
final class SpreadChart {
    private static final int FEW_REALS = 16;
    private static final int WIDEST_LABEL = 39;
    private static final String GAP = "  ";
    /** Bars on either side of the middle one. */
    private static final int SIDE = 6;

    private final Terminal terminal;

    /** One line: what it is about, how long the bar is, and what stands behind it. */
    private record Line(String label, int count, String remark) {}

    SpreadChart(Terminal terminal) {
        this.terminal = terminal;
    }

    void print(List<SimulationResult> results, PrintWriter out) {
        int reals = results.stream()
                .mapToInt(result -> result.balance().holdings().size())
                .max()
                .orElse(0);
        if (reals == 0) {
            return;
        }
        double step = step(results);
        int furthest = furthest(results, step);
        int lowest = -furthest(results, -step);
        List<List<Line>> charts = new ArrayList<>();
        for (SimulationResult result : results) {
            charts.add(
                    reals <= FEW_REALS
                            ? byReal(result.balance())
                            : byDeviation(result.balance(), step, lowest, furthest));
        }
        int most = charts.stream()
                .flatMap(List::stream)
                .mapToInt(Line::count)
                .max()
                .orElse(1);
        out.println();
        out.println(
                reals <= FEW_REALS
                        ? "Slots of each real, and how far that is off its share:"
                        : "Number of reals by how far they are off their share:");
        for (int i = 0; i < charts.size(); i++) {
            out.println();
            out.println(title(results.get(i)));
            print(charts.get(i), most, out);
        }
    }

    private static String title(SimulationResult result) {
        Balance balance = result.balance();
        return String.format(
                Locale.ROOT,
                "%s: %d to %d slots a real, %.1f on average; %s to %s off the share",
                result.scheduler().key(),
                balance.minSlots(),
                balance.maxSlots(),
                balance.averageSlots(),
                percent(balance.minOverAverage() - 1, 2),
                percent(balance.maxOverAverage() - 1, 2));
    }

    private void print(List<Line> lines, int most, PrintWriter out) {
        int label = Math.min(
                WIDEST_LABEL,
                lines.stream().mapToInt(line -> line.label.length()).max().orElse(0));
        int count = Integer.toString(most).length();
        int remark = lines.stream().mapToInt(line -> line.remark.length()).max().orElse(0);
        int taken = label + GAP.length() + count + GAP.length() + (remark == 0 ? 0 : remark + GAP.length());
        int longest = Math.max(1, terminal.width() - taken);
        for (Line line : lines) {
            String text = pad(line.label, label)
                    + GAP
                    + right(Integer.toString(line.count), count)
                    + GAP
                    + (remark == 0 ? "" : right(line.remark, remark) + GAP)
                    + terminal.bar(line.count, most, longest);
            out.println(text.stripTrailing());
        }
    }

    private static List<Line> byReal(Balance balance) {
        return balance.holdings().stream()
                .map(holding -> new Line(
                        Table.printable(holding.real().identity()), holding.slots(), percent(holding.ratio() - 1, 2)))
                .toList();
    }

    private static List<Line> byDeviation(Balance balance, double step, int lowest, int highest) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int bar = lowest; bar <= highest; bar++) {
            counts.put(bar, 0);
        }
        balance.holdings().forEach(holding -> counts.merge(bar(holding, step), 1, Integer::sum));
        int decimals = step < 0.001 ? 2 : step < 0.01 ? 1 : 0;
        List<Line> lines = new ArrayList<>();
        counts.forEach((bar, count) -> lines.add(new Line(right(percent(bar * step, decimals), 7), count, "")));
        return lines;
    }

    /** The bar that a real belongs to: 0 where it has its share, 1 where it has about one step more. */
    private static int bar(Holding holding, double step) {
        return (int) Math.round((holding.ratio() - 1) / step);
    }

    /** The furthest bar, above the middle, or below it for a negative step. */
    private static int furthest(List<SimulationResult> results, double step) {
        return results.stream()
                .flatMap(result -> result.balance().holdings().stream())
                .mapToInt(holding -> bar(holding, step))
                .max()
                .orElse(0);
    }

    /** What one bar stands for: 1, 2 or 5 times a power of ten, so that the furthest real has a bar. */
    private static double step(List<SimulationResult> results) {
        double worst = results.stream()
                .flatMap(result -> result.balance().holdings().stream())
                .mapToDouble(holding -> Math.abs(holding.ratio() - 1))
                .max()
                .orElse(0);
        double power = 1e-4;
        while (true) {
            for (int times : new int[] {1, 2, 5}) {
                if (worst <= times * power * (SIDE + 0.5)) {
                    return times * power;
                }
            }
            power *= 10;
        }
    }

    private static String percent(double fraction, int decimals) {
        String text = String.format(Locale.ROOT, "%+." + decimals + "f%%", 100 * fraction);
        return text.matches("[+-]0(\\.0+)?%") ? text.substring(1) : text;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }
}
