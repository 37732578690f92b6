// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Aligned columns: the first to the left, numbers to the right. */
public final class TextTable {
    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    private final List<List<String>> lines = new ArrayList<>();

    public TextTable(String... titles) {
        lines.add(List.of(titles));
    }

    public void row(String... cells) {
        lines.add(List.of(cells));
    }

    public void print(PrintWriter out) {
        for (List<String> cells : lines) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < cells.size(); column++) {
                String padding = " ".repeat(width(column) - cells.get(column).length());
                line.append(column == 0 ? cells.get(column) + padding : GAP + padding + cells.get(column));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    /** A number with that many decimals; a dash for none. */
    public static String number(@Nullable Double value, int decimals) {
        return value == null ? NOTHING : String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private int width(int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }
}
