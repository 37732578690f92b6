// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the line of every key of a TOML file, and the keys and tables that are there twice.
 *
 * <p>It reads any text without failing, and understands as much of it as it can; whether the text is TOML is for the
 * parser to say. For text that is, the tree has the shape of what the parser reads.
 */
final class TomlLines {
    /** Deeper values are not looked into; the parser refuses them at about the same depth. */
    private static final int MAX_DEPTH = 500;

    /**
     * A key or table that is there a second time.
     *
     * @param firstLine where it is first
     * @param table whether it is a table's header
     */
    record Duplicate(int line, String path, int firstLine, boolean table) {}

    private record Span(int from, int to) {}

    /** A table and its key path. */
    private record Place(TomlNode table, String path) {}

    private final String text;
    private final TomlCursor cursor;
    private final TomlNode root = new TomlNode(TomlNode.Kind.TABLE, 0);
    private final List<Duplicate> duplicates = new ArrayList<>();
    private final Set<String> repeatedTables = new HashSet<>();
    private final List<Span> repeats = new ArrayList<>();

    private Place current = new Place(root, "");
    private boolean attached = true;
    private int firstBroken;

    private TomlLines(String text) {
        this.text = text;
        this.cursor = new TomlCursor(text);
    }

    static TomlLines of(String text) {
        TomlLines lines = new TomlLines(text);
        lines.scan();
        return lines;
    }

    /** The whole file as a table. */
    TomlNode root() {
        return root;
    }

    List<Duplicate> duplicates() {
        return List.copyOf(duplicates);
    }

    /** The line where the first thing starts that makes no sense; 0: all of it does. */
    int firstBroken() {
        return firstBroken;
    }

    /** The text with blanks in place of what is there a second time, so that a parser can read the rest. */
    String textWithoutDuplicates() {
        StringBuilder rest = new StringBuilder(text);
        for (Span span : repeats) {
            for (int i = span.from; i < span.to; i++) {
                if (rest.charAt(i) != '\n') {
                    rest.setCharAt(i, ' ');
                }
            }
        }
        return rest.toString();
    }

    private void scan() {
        cursor.skipSpace();
        while (!cursor.atEnd()) {
            int start = cursor.position();
            int line = cursor.line();
            boolean whole = cursor.at("[") ? header(line) : keyValue(current, start, 0);
            if (!whole || !cursor.skipRestOfLine()) {
                broken(line);
                cursor.skipToLineEnd();
            } else if (!attached) {
                repeats.add(new Span(start, cursor.position()));
            }
            cursor.skipSpace();
        }
    }

    private void broken(int line) {
        if (firstBroken == 0) {
            firstBroken = line;
        }
    }

    private boolean header(int line) {
        boolean array = cursor.skip("[[");
        if (!array) {
            cursor.skip("[");
        }
        List<String> key = cursor.dottedKey();
        boolean whole = key != null && cursor.skip(array ? "]]" : "]");
        Place named = key == null || !whole ? null : array ? element(key, line) : table(key, line);
        attached = named != null || !whole;
        current = named != null ? named : new Place(new TomlNode(TomlNode.Kind.TABLE, line), "");
        return whole;
    }

    private @Nullable Place table(List<String> key, int line) {
        Place parent = enter(new Place(root, ""), key, line, true);
        if (parent == null) {
            return null;
        }
        String last = key.get(key.size() - 1);
        String path = KeyPath.join(parent.path, last);
        TomlNode named = parent.table.child(last);
        if (named == null) {
            named = new TomlNode(TomlNode.Kind.TABLE, line);
            parent.table.children().put(last, named);
        } else if (named.kind() != TomlNode.Kind.TABLE || named.defined()) {
            named.markRepeated();
            duplicate(line, path, named, true);
            return null;
        }
        named.defineAt(line);
        return new Place(named, path);
    }

    private @Nullable Place element(List<String> key, int line) {
        Place parent = enter(new Place(root, ""), key, line, true);
        if (parent == null) {
            return null;
        }
        String last = key.get(key.size() - 1);
        String path = KeyPath.join(parent.path, last);
        TomlNode array = parent.table.child(last);
        if (array == null) {
            array = new TomlNode(TomlNode.Kind.ARRAY, line);
            parent.table.children().put(last, array);
        } else if (array.kind() != TomlNode.Kind.ARRAY || array.closed()) {
            duplicate(line, path, array, true);
            return null;
        }
        TomlNode element = new TomlNode(TomlNode.Kind.TABLE, line);
        array.elements().add(element);
        return new Place(element, KeyPath.element(path, array.elements().size() - 1));
    }

    /** Goes down to the table that holds the last part of a key; null: something else is in the way. */
    private @Nullable Place enter(Place from, List<String> key, int line, boolean header) {
        Place here = from;
        for (String part : key.subList(0, key.size() - 1)) {
            if (!header) {
                here.table.markDefined();
            }
            TomlNode there = here.table.children().computeIfAbsent(part, k -> new TomlNode(TomlNode.Kind.TABLE, line));
            TomlNode entered = there.entered();
            String path = KeyPath.join(here.path, part);
            if (entered == null) {
                duplicate(line, path, there, header);
                return null;
            }
            boolean array = there.kind() == TomlNode.Kind.ARRAY;
            here = new Place(
                    entered, array ? KeyPath.element(path, there.elements().size() - 1) : path);
        }
        if (!header) {
            here.table.markDefined();
        }
        return here;
    }

    private void duplicate(int line, String path, TomlNode first, boolean header) {
        // What a file says below a misplaced table would only repeat the complaint.
        if (!header || repeatedTables.add(path)) {
            duplicates.add(new Duplicate(line, path, first.line(), header));
        }
    }

    private boolean keyValue(Place into, int start, int depth) {
        int line = cursor.line();
        List<String> key = cursor.dottedKey();
        if (key == null || !cursor.skip("=")) {
            return false;
        }
        cursor.skipBlanks();
        TomlNode value = value(line, KeyPath.join(into.path, key), depth);
        if (value == null) {
            return false;
        }
        Place parent = enter(into, key, line, false);
        String last = key.get(key.size() - 1);
        TomlNode first = parent == null ? null : parent.table.children().putIfAbsent(last, value);
        if (parent != null && first != null) {
            duplicate(line, KeyPath.join(parent.path, last), first, false);
        }
        if (parent == null || first != null) {
            repeats.add(new Span(start, cursor.position()));
        }
        return true;
    }

    private @Nullable TomlNode value(int line, String path, int depth) {
        if (depth > MAX_DEPTH) {
            return null;
        }
        if (cursor.at("\"") || cursor.at("'")) {
            return cursor.skipString() ? new TomlNode(TomlNode.Kind.STRING, line) : null;
        }
        if (cursor.skip("[")) {
            return array(line, path, depth + 1);
        }
        if (cursor.skip("{")) {
            return inlineTable(line, path, depth + 1);
        }
        String bare = cursor.bareValue();
        return bare == null ? null : TomlNode.bare(line, bare);
    }

    private @Nullable TomlNode array(int line, String path, int depth) {
        TomlNode array = new TomlNode(TomlNode.Kind.ARRAY, line);
        array.close();
        cursor.skipSpace();
        while (!cursor.skip("]")) {
            String here = KeyPath.element(path, array.elements().size());
            TomlNode element = value(cursor.line(), here, depth);
            if (element == null) {
                return null;
            }
            array.elements().add(element);
            cursor.skipSpace();
            if (!cursor.skip(",") && !cursor.at("]")) {
                return null;
            }
            cursor.skipSpace();
        }
        return array;
    }

    private @Nullable TomlNode inlineTable(int line, String path, int depth) {
        TomlNode inline = new TomlNode(TomlNode.Kind.TABLE, line);
        cursor.skipBlanks();
        boolean more = !cursor.skip("}");
        int start = cursor.position();
        while (more) {
            if (!keyValue(new Place(inline, path), start, depth)) {
                return null;
            }
            cursor.skipBlanks();
            start = cursor.position();
            more = cursor.skip(",");
            if (!more && !cursor.skip("}")) {
                return null;
            }
        }
        inline.markDefined();
        inline.close();
        return inline;
    }
}
