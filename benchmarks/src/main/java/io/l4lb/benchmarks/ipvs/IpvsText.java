// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.benchmarks.report.TextTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.TreeMap;

/** Prints how long services take. */
public final class IpvsText {
    private IpvsText() {}

    public static void print(List<IpvsRow> rows, PrintWriter out) {
        TextTable table = new TextTable("WORK", "SCHEDULER", "MS", "WITH JVM", "IPVSADM MS", "x IPVSADM");
        for (IpvsRow row : rows) {
            table.row(
                    row.work(),
                    row.scheduler(),
                    TextTable.number(row.milliseconds(), 1),
                    TextTable.number(row.withStart(), 0),
                    TextTable.number(row.ipvsadm(), 1),
                    TextTable.number(row.ratio(), 2));
        }
        out.println();
        out.println(
                "Wall time in the virtual machine, medians. MS: the agent's dataplane, VIPs made local, files of state and");
        out.println(
                "reading back included, in a JVM that has done other services before. WITH JVM: in a JVM that is started");
        out.println("for it, to its end. IPVSADM: -R of the same rules, and -e, to its end.");
        out.println();
        table.print(out);
        out.println();
        for (IpvsRow row : rows) {
            out.printf("%s, %s: messages %s%n", row.work(), row.scheduler(), new TreeMap<>(row.messages()));
        }
    }
}
