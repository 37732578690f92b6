// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.hashing.simulation.Disruption;
import io.l4lb.hashing.simulation.SimulationResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What the simulation of one table gave.
 *
 * @param results by scheduler
 */
record SimulationReport(SimulatedTable table, List<SimulationResult> results) {
    /** A smaller change of shares no table of whole slots can follow. */
    private static final double LEAST_CHANGE = 0.5;

    /**
     * As JSON: an object for each scheduler and event. Its keys are the names that scripts were promised, not in the form
     * of the configuration's.
     */
    List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (SimulationResult result : results) {
            result.disruptions().forEach(disruption -> rows.add(row(result, disruption)));
        }
        return rows;
    }

    private Map<String, Object> row(SimulationResult result, Disruption disruption) {
        Map<String, Object> row = new LinkedHashMap<>();
        if (!table.service().isEmpty()) {
            row.put("service", table.service());
        }
        row.put("scheduler", result.scheduler().key());
        row.put("event", disruption.event().key());
        row.put("moved", disruption.moved());
        row.put("unavoidable", disruption.unavoidable());
        row.put("maxOverAverage", disruption.maxOverAverage());
        row.put("worstMoved", disruption.worstMoved());
        row.put("trials", disruption.trials());
        row.put("minOverAverageBefore", result.balance().minOverAverage());
        row.put("maxOverAverageBefore", result.balance().maxOverAverage());
        return row;
    }

    /** As text: a table, and bars. */
    void print(boolean wide, Terminal terminal, PrintWriter out) {
        List<String> titles =
                new ArrayList<>(List.of("SCHEDULER", "EVENT", ">MOVED", ">UNAVOIDABLE", ">RATIO", ">MAX/AVG"));
        if (wide) {
            titles.addAll(List.of(">MIN/AVG", ">WORST", ">TRIALS"));
        }
        Table text = Table.of(titles);
        for (SimulationResult result : results) {
            text.row(before(result, wide));
            result.disruptions().forEach(disruption -> text.row(cells(result, disruption, wide)));
        }
        text.print(out);
        new SpreadChart(terminal).print(results, out);
    }

    private static List<String> before(SimulationResult result, boolean wide) {
        List<String> cells = new ArrayList<>(List.of(
                result.scheduler().key(),
                "(none)",
                "",
                "",
                "",
                number(result.balance().maxOverAverage(), 3)));
        if (wide) {
            cells.addAll(List.of(number(result.balance().minOverAverage(), 3), "", ""));
        }
        return cells;
    }

    private static List<String> cells(SimulationResult result, Disruption disruption, boolean wide) {
        boolean comparable = disruption.unavoidable() >= LEAST_CHANGE;
        List<String> cells = new ArrayList<>(List.of(
                result.scheduler().key(),
                disruption.event().key(),
                number(disruption.moved(), 1),
                number(disruption.unavoidable(), 1),
                comparable ? number(disruption.moved() / disruption.unavoidable(), 2) : "",
                number(disruption.maxOverAverage(), 3)));
        if (wide) {
            cells.addAll(List.of("", Integer.toString(disruption.worstMoved()), Integer.toString(disruption.trials())));
        }
        return cells;
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
