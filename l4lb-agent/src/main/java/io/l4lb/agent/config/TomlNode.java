// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a table, an array or a value of a TOML file stands. */
final class TomlNode {
    /** What stands there. */
    enum Kind {
        TABLE,
        ARRAY,
        STRING,
        /** A number, a boolean, a date or a time: whatever has no quotes. */
        BARE
    }

    private final Kind kind;
    private final String bareText;
    private final Map<String, TomlNode> children;
    private final List<TomlNode> elements;
    private int line;
    private boolean closed;
    private boolean defined;
    private boolean repeated;

    TomlNode(Kind kind, int line) {
        this(kind, line, "");
    }

    private TomlNode(Kind kind, int line, String bareText) {
        this.kind = kind;
        this.bareText = bareText;
        this.line = line;
        this.children = kind == Kind.TABLE ? new LinkedHashMap<>() : Map.of();
        this.elements = kind == Kind.ARRAY ? new ArrayList<>() : List.of();
    }

    static TomlNode bare(int line, String text) {
        return new TomlNode(Kind.BARE, line, text);
    }

    /** A bare value as it is in the file. */
    String bareText() {
        return bareText;
    }

    Kind kind() {
        return kind;
    }

    /** From 1; 0: unknown. */
    int line() {
        return line;
    }

    Map<String, TomlNode> children() {
        return children;
    }

    List<TomlNode> elements() {
        return elements;
    }

    @Nullable
    TomlNode child(String key) {
        return children.get(key);
    }

    /** Whether a header or a dotted key has said what is in this table, so that a header may not do it again. */
    boolean defined() {
        return defined;
    }

    /** Whether a second header named this table; what stands below that one is not part of the tree. */
    boolean repeated() {
        return repeated;
    }

    void markDefined() {
        defined = true;
    }

    void markRepeated() {
        repeated = true;
    }

    /** This table is named by its header. */
    void defineAt(int headerLine) {
        defined = true;
        line = headerLine;
    }

    /** Nothing can be added any more: an inline table, an array written in brackets. */
    void close() {
        closed = true;
    }

    boolean closed() {
        return closed;
    }

    /** The table that a key path leads into by naming this node; null: it leads nowhere. */
    @Nullable
    TomlNode entered() {
        if (closed) {
            return null;
        }
        return switch (kind) {
            case TABLE -> this;
            case ARRAY -> elements.get(elements.size() - 1);
            case STRING, BARE -> null;
        };
    }
}
