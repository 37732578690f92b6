// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * A table of a file, read key by key. Whatever is wrong becomes a problem and an absent value, so that reading goes on;
 * {@link #finish} reports the keys that nobody asked for.
 */
final class Table {
    private final Problems problems;
    private final String path;
    private final JsonNode json;
    private final TomlNode lines;
    private final Set<String> known = new LinkedHashSet<>();

    Table(Problems problems, String path, JsonNode json, TomlNode lines) {
        this.problems = problems;
        this.path = path;
        this.json = json;
        this.lines = lines;
    }

    String path() {
        return path;
    }

    Problems problems() {
        return problems;
    }

    boolean has(String key) {
        known.add(key);
        return json.has(key);
    }

    /** Where its keys stand, and those of the tables in it. */
    KeyLines keyLines() {
        return KeyLines.in(lines);
    }

    /** Whether this key is there and no other. */
    boolean holdsOnly(String key) {
        return json.size() == 1 && json.has(key);
    }

    /** All of its keys, in the order of the file: for a table whose keys are the user's own. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        json.fieldNames().forEachRemaining(keys::add);
        return keys;
    }

    void require(String... keys) {
        known.addAll(Arrays.asList(keys));
        for (String key : keys) {
            if (!json.has(key) && !lines.repeated()) {
                problem(key, "is missing");
            }
        }
    }

    /** What is allowed, but hardly meant. */
    void warning(String key, String message) {
        problems.warn(node(key).line(), KeyPath.join(path, key), message);
    }

    void problem(String key, String message) {
        problems.add(node(key).line(), KeyPath.join(path, key), message);
    }

    /** A string that {@code parse} understands. */
    <T> Optional<T> value(String key, String expected, Function<String, T> parse) {
        return has(key) ? one(expected, json.get(key), node(key), KeyPath.join(path, key), parse) : Optional.empty();
    }

    /** The strings of an array, each of which {@code parse} understands. */
    <T> List<Located<T>> each(String key, String expected, Function<String, T> parse) {
        List<Located<T>> all = new ArrayList<>();
        if (!has(key)) {
            return all;
        }
        JsonNode array = json.get(key);
        if (!array.isArray()) {
            problem(key, Found.instead("an array of strings", array, node(key)));
            return all;
        }
        for (int i = 0; i < array.size(); i++) {
            TomlNode element = element(node(key), i);
            String at = KeyPath.element(KeyPath.join(path, key), i);
            one(expected, array.get(i), element, at, parse)
                    .ifPresent(value -> all.add(new Located<>(value, element.line(), at)));
        }
        return all;
    }

    /** The same as {@link #value}, with the place where it stands. */
    <T> Optional<Located<T>> located(String key, String expected, Function<String, T> parse) {
        return value(key, expected, parse).map(value -> located(key, value));
    }

    /** The number of elements of an array; -1: the key is not there, or is something else. */
    int size(String key) {
        return has(key) && json.get(key).isArray() ? json.get(key).size() : -1;
    }

    Optional<Integer> number(String key, int min, int max) {
        return longNumber(key, min, max).map(Math::toIntExact);
    }

    /** The same as {@link #number}, with the place where it stands. */
    Optional<Located<Integer>> locatedNumber(String key, int min, int max) {
        return number(key, min, max).map(value -> located(key, value));
    }

    /** A value of a key, with the place where the key stands, or would stand. */
    <T> Located<T> located(String key, T value) {
        return new Located<>(value, node(key).line(), KeyPath.join(path, key));
    }

    Optional<Boolean> flag(String key) {
        if (!has(key)) {
            return Optional.empty();
        }
        JsonNode value = json.get(key);
        if (!value.isBoolean()) {
            problem(key, Found.instead("true or false", value, node(key)));
            return Optional.empty();
        }
        return Optional.of(value.booleanValue());
    }

    Optional<Long> longNumber(String key, long min, long max) {
        return number(key, value -> value >= min && value <= max, min + " to " + max);
    }

    /**
     * A whole number.
     *
     * @param use which ones are allowed, in words
     */
    Optional<Long> number(String key, LongPredicate allowed, String use) {
        if (!has(key)) {
            return Optional.empty();
        }
        JsonNode value = json.get(key);
        if (!value.isIntegralNumber()) {
            String expected = value.isNumber() ? "a whole number" : "a number";
            problem(key, Found.instead(expected, value, node(key)));
            return Optional.empty();
        }
        if (!value.canConvertToLong() || !allowed.test(value.longValue())) {
            problem(key, Shown.plain(node(key).bareText()) + " is out of range; use " + use);
            return Optional.empty();
        }
        return Optional.of(value.longValue());
    }

    boolean isText(String key) {
        return has(key) && json.get(key).isTextual() && node(key).kind() == TomlNode.Kind.STRING;
    }

    /** A table, which is an empty one if it is not there; absent if it is something else. */
    Optional<Table> table(String key) {
        TomlNode node = has(key) ? node(key) : new TomlNode(TomlNode.Kind.TABLE, lines.line());
        JsonNode value = json.has(key) ? json.get(key) : JsonNodeFactory.instance.objectNode();
        if (!value.isObject()) {
            problem(key, Found.instead("a table", value, node));
            return Optional.empty();
        }
        return Optional.of(new Table(problems, KeyPath.join(path, key), value, node));
    }

    /** The tables of an array. */
    List<Table> tables(String key) {
        List<Table> tables = new ArrayList<>();
        if (!has(key)) {
            return tables;
        }
        JsonNode array = json.get(key);
        String at = KeyPath.join(path, key);
        if (!array.isArray()) {
            problem(key, Found.instead("an array of tables", array, node(key)));
            return tables;
        }
        for (int i = 0; i < array.size(); i++) {
            TomlNode element = element(node(key), i);
            String here = KeyPath.element(at, i);
            if (array.get(i).isObject()) {
                tables.add(new Table(problems, here, array.get(i), element));
            } else {
                problems.add(element.line(), here, Found.instead("a table", array.get(i), element));
            }
        }
        return tables;
    }

    /** A key that this version does not take, while a later one may. */
    void later(String key) {
        if (has(key)) {
            problem(key, "is not available yet");
        }
    }

    /** Reports unknown keys; whether the file has no problem so far, so that what was read can be used. */
    boolean finish() {
        for (Iterator<String> keys = json.fieldNames(); keys.hasNext(); ) {
            String key = keys.next();
            if (!known.contains(key)) {
                String hint = Spelling.closest(key, known)
                        .map(word -> ", did you mean '" + word + "'?")
                        .orElse("");
                problem(key, "unknown key" + hint);
            }
        }
        return problems.count() == 0;
    }

    private <T> Optional<T> one(String expected, JsonNode value, TomlNode node, String at, Function<String, T> parse) {
        if (!value.isTextual() || node.kind() != TomlNode.Kind.STRING) {
            problems.add(node.line(), at, Found.instead(expected, value, node));
            return Optional.empty();
        }
        try {
            return Optional.of(parse.apply(value.textValue()));
        } catch (ImpossibleValueException e) {
            problems.add(node.line(), at, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private TomlNode node(String key) {
        TomlNode node = lines.child(key);
        return node != null ? node : lines;
    }

    private static TomlNode element(TomlNode array, int index) {
        return index < array.elements().size() ? array.elements().get(index) : array;
    }
}
