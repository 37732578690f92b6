// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.l4lb.benchmarks.ipvs.IpvsRow;
import io.l4lb.benchmarks.ipvs.IpvsText;
import io.l4lb.benchmarks.packets.PacketRow;
import io.l4lb.benchmarks.packets.PacketText;
import io.l4lb.benchmarks.report.TextTable;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run measured; what was not asked for is null.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Report(
        Environment environment,
        Effort effort,
        @Nullable List<TableFigures.Row> tables,
        @Nullable List<KeyFigures.Row> keys,
        @Nullable List<BalanceFigures.Row> balance,
        @Nullable List<PacketRow> packets,
        @Nullable List<IpvsRow> ipvs) {
    private static final int MILLIS_DECIMALS = 3;

    /** Of the paper's figures. */
    @JsonProperty
    String source() {
        return Paper.SOURCE;
    }

    /** Whether everything could be measured. */
    boolean complete() {
        return packets == null || packets.stream().allMatch(row -> row.problem() == null);
    }

    /** Then they are the whole answer: a list of cases. */
    private boolean packetsAlone() {
        return packets != null && ipvs == null && !others();
    }

    private boolean ipvsAlone() {
        return ipvs != null && packets == null && !others();
    }

    private boolean others() {
        return tables != null || keys != null || balance != null;
    }

    void printJson(PrintWriter out) {
        try {
            out.println(new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsString(packetsAlone() ? packets : ipvsAlone() ? ipvs : this));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of numbers and texts are always JSON", e);
        }
    }

    void printText(PrintWriter out) {
        out.printf(
                "%s, %d x %s, %s, load %s before%n",
                environment.date(),
                environment.processors(),
                environment.processor(),
                environment.kernel(),
                environment.load());
        out.printf("Java %s%n", environment.java());
        if (effort.equals(Effort.quick())) {
            out.println("--quick: too short for figures to be published");
        }
        if (tables != null) {
            printTables(tables, out);
        }
        if (keys != null) {
            printKeys(keys, out);
        }
        if (balance != null) {
            printBalance(balance, out);
        }
        if (packets != null) {
            PacketText.print(packets, out);
        }
        if (ipvs != null) {
            IpvsText.print(ipvs, out);
        }
    }

    private void printTables(List<TableFigures.Row> rows, PrintWriter out) {
        TextTable table = new TextTable(
                "SCHEDULER",
                "REALS",
                "SLOTS",
                "FULL MS",
                "CPU",
                "x BASELINE",
                "ONE CHANGED MS",
                "CPU",
                "x BASELINE",
                "PAPER MS");
        for (TableFigures.Row row : rows) {
            table.row(
                    row.scheduler(),
                    Integer.toString(row.reals()),
                    Integer.toString(row.slots()),
                    TextTable.number(row.full().millis(), MILLIS_DECIMALS),
                    TextTable.number(row.full().cpuMillis(), MILLIS_DECIMALS),
                    TextTable.number(row.full().ratio(), 2),
                    TextTable.number(row.oneChanged().millis(), MILLIS_DECIMALS),
                    TextTable.number(row.oneChanged().cpuMillis(), MILLIS_DECIMALS),
                    TextTable.number(row.oneChanged().ratio(), 2),
                    TextTable.number(row.paperMillis(), 1));
        }
        out.println();
        out.println(
                "Building a table, by the clock and by the processor. Baseline: the Maglev paper's pseudocode, reals taking");
        out.println("turns, without weights, built in the same minutes; ratios are of processor time.");
        out.println("Paper: " + Paper.SOURCE + ", on its machine.");
        out.println();
        table.print(out);
    }

    private static void printKeys(List<KeyFigures.Row> rows, PrintWriter out) {
        TextTable table = new TextTable("HASH", "NS", "CPU", "x CRC32");
        rows.forEach(row -> table.row(
                row.hash(),
                TextTable.number(row.nanos(), 1),
                TextTable.number(row.cpuNanos(), 1),
                TextTable.number(row.ratio(), 2)));
        out.println();
        out.println(
                "Hashing a flow key of 40 bytes, by the clock and by the processor. Baseline: the JVM's CRC-32 of the same bytes.");
        out.println();
        table.print(out);
    }

    private void printBalance(List<BalanceFigures.Row> rows, PrintWriter out) {
        TextTable table = new TextTable(
                "SCHEDULER", "REALS", "SLOTS", "OVER %", "WORST", "PAPER", "OWN", "MOVED BEYOND", "WORST", "PAPER");
        for (BalanceFigures.Row row : rows) {
            table.row(
                    row.scheduler(),
                    Integer.toString(row.reals()),
                    Integer.toString(row.slots()),
                    TextTable.number(row.overProvisioning().median(), 1),
                    TextTable.number(row.overProvisioning().worst(), 1),
                    TextTable.number(row.overProvisioning().paper(), 1),
                    TextTable.number(row.ownSlots(), 0),
                    TextTable.number(row.movedBeyondOwn().median(), 0),
                    TextTable.number(row.movedBeyondOwn().worst(), 0),
                    TextTable.number(row.movedBeyondOwn().paper(), 0));
        }
        out.println();
        out.println(
                "Largest share above the average, in per cent, and slots that move when one real leaves: its own, and");
        out.printf("beyond these. Median and worst of %d seeds.%n", effort.seeds());
        out.println("Paper: " + Paper.SOURCE + "; of Maglev it says \"almost perfect\" and plots what moves, without");
        out.println("numbers; the baseline is its algorithm, measured here.");
        out.println();
        table.print(out);
    }
}
