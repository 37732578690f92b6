// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Aligned columns of plain text. */
final class Table {
    private static final String GAP = "  ";
    private static final String NOTHING = "-";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    private record Column(String title, boolean right) {}

    private Table(List<Column> columns) {
        this.columns = columns;
    }

    /** Columns by their titles; one that begins with {@code >} is aligned to the right. */
    static Table of(String... titles) {
        return of(List.of(titles));
    }

    static Table of(List<String> titles) {
        List<Column> columns = new ArrayList<>();
        for (String title : titles) {
            boolean right = title.startsWith(">");
            columns.add(new Column(right ? title.substring(1) : title, right));
        }
        return new Table(columns);
    }

    /** Two columns without titles: names and what they stand for. */
    static Table ofNames() {
        return of("", "");
    }

    /** Adds a row; an empty cell is shown as a dash. */
    Table row(Object... cells) {
        return row(List.of(cells));
    }

    Table row(List<?> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(cells.size() + " cells in " + columns.size() + " columns");
        }
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            String text = printable(cell.toString());
            row.add(text.isEmpty() ? NOTHING : text);
        }
        rows.add(row);
        return this;
    }

    void print(PrintWriter out) {
        List<String> titles = columns.stream().map(Column::title).toList();
        if (titles.stream().anyMatch(title -> !title.isEmpty())) {
            out.println(line(titles));
        }
        rows.forEach(row -> out.println(line(row)));
    }

    /** Text from elsewhere, a real's answer say, must not steer the operator's terminal. */
    static String printable(String text) {
        return text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            String padding = " ".repeat(width(i) - cells.get(i).length());
            line.append(i == 0 ? "" : GAP);
            line.append(columns.get(i).right ? padding + cells.get(i) : cells.get(i) + padding);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int width = columns.get(column).title.length();
        for (List<String> row : rows) {
            width = Math.max(width, row.get(column).length());
        }
        return width;
    }
}
