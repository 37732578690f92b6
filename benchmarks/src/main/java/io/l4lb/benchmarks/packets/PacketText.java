// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.benchmarks.report.TextTable;
import java.io.PrintWriter;
import java.util.List;

/** Prints what packets cost. */
public final class PacketText {
    private PacketText() {}

    public static void print(List<PacketRow> rows, PrintWriter out) {
        TextTable table = new TextTable(
                "CASE", "NS", "FLOOR", "x FLOOR", "KATRAN NS", "x FLOOR", "OURS / KATRAN'S", "GOAL", "MET");
        for (PacketRow row : rows) {
            Double multiple = row.floorMultiple();
            table.row(
                    row.name(),
                    TextTable.number(row.nanoseconds(), 1),
                    TextTable.number(row.floorNanoseconds(), 1),
                    TextTable.number(multiple, 2),
                    Integer.toString(row.katranNanoseconds()),
                    TextTable.number(row.katranMultiple(), 1),
                    TextTable.number(multiple == null ? null : multiple / row.katranMultiple(), 2),
                    TextTable.number(row.goal(), 2),
                    row.goalMet() == null ? "-" : row.goalMet() ? "yes" : "no");
        }
        out.println();
        out.println(
                "Processor time of a packet in the balancer, medians. NS has the floor in it: a stub that does next to");
        out.println(
                "nothing (encapsulates; for not-vip passes) in the same wrapper, just before and after. x FLOOR = NS /");
        out.println(
                "FLOOR in each round, the median of these. Katran's figures were made the same way, by the same kind of");
        out.println("wrapper, on another day: 79 ns to a floor of 16 is 4.9. GOAL: 0.7 of Katran's multiple.");
        out.println();
        table.print(out);
        rows.stream()
                .filter(row -> row.problem() != null)
                .forEach(row -> out.printf("%s was not measured: %s%n", row.name(), row.problem()));
    }
}
