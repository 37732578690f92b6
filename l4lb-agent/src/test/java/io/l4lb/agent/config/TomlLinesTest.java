// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.statistics.Statistics;

/** The lines against the parser, on text of any kind. */
class TomlLinesTest {
    private static final TomlMapper MAPPER = new TomlMapper();

    @Property(tries = 3000)
    void neverThrowsAndAgreesWithTheParser(@ForAll("noise") String text) {
        agree(text, false);
    }

    @Provide
    Arbitrary<String> noise() {
        Arbitrary<String> letters = Arbitraries.of(
                "[",
                "]",
                "[[",
                "]]",
                "{",
                "}",
                "=",
                ".",
                ",",
                "#",
                "'",
                "\"",
                "'''",
                "\"\"\"",
                "\\",
                "\n",
                "\r\n",
                "\r",
                "\t",
                " ",
                "a",
                "b",
                "1",
                "-",
                "_",
                "u",
                "U0010",
                "\u0000",
                "\u00e9",
                "\ud83d\ude00",
                "\uffff",
                "a=1\n",
                "[a]\n");
        return letters.list().ofMaxSize(40).map(parts -> String.join("", parts));
    }

    @Property(tries = 3000)
    void findsWhatTheParserFinds(@ForAll("statements") List<String> statements) {
        String text = numbered(String.join("\n", statements));
        Optional<JsonNode> tree = agree(text, true);
        Statistics.label("TOML").collect(tree.isPresent());
    }

    /** Statements in which the value {@code @} stands for the number of its line. */
    @Provide
    Arbitrary<List<String>> statements() {
        Arbitrary<String> key =
                Arbitraries.of("a", "b", "c", "\"a\"", "'b'", "\"\\u0061\"", "\"c d\"", "a . b", "b.c", "c.'d'.e");
        Arbitrary<String> value = Arbitraries.of(
                "@",
                " @ # x = [",
                "[@, @]",
                "[\n@,\n # ]\n@\n,]",
                "{ x = @, y.z = @ }",
                "{}",
                "[]",
                "[{ x = @ }, [@]]",
                "\"]\\\"#\"",
                "'\\'",
                "\"\"\"\n\n\"a\" \\\n  \\\"\"\"\"\"",
                "'''\n[a]\n''''",
                "\"\"",
                "1979-05-27 07:32:00",
                "true");
        Arbitrary<String> header =
                Arbitraries.of("[%s]", "[[%s]]", "[ %s ] # x").flatMap(form -> key.map(form::formatted));
        Arbitrary<String> pair = key.flatMap(k -> value.map(v -> k + " = " + v));
        return Arbitraries.frequencyOf(
                        Tuple.of(2, header), Tuple.of(3, pair), Tuple.of(1, Arbitraries.of("", "# a = 1", "\t")))
                .list()
                .ofMaxSize(8);
    }

    private static String numbered(String text) {
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            lines[i] = lines[i].replace("@", String.valueOf(i + 1));
        }
        return String.join("\n", lines);
    }

    /** If the text is TOML, or would be without what is there twice, the trees agree. */
    private static Optional<JsonNode> agree(String text, boolean numbered) {
        TomlLines lines = TomlLines.of(text);
        Optional<JsonNode> tree = parse(text);
        if (tree.isPresent()) {
            assertEquals(List.of(), lines.duplicates(), text);
            assertEquals(text, lines.textWithoutDuplicates());
        }
        Optional<JsonNode> rest = parse(lines.textWithoutDuplicates());
        rest.ifPresent(root -> {
            assertEquals(0, lines.firstBroken(), text);
            same(root, lines.root(), text, numbered);
        });
        return tree;
    }

    private static Optional<JsonNode> parse(String text) {
        try {
            return Optional.of(MAPPER.readTree(text));
        } catch (JsonProcessingException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private static void same(JsonNode json, TomlNode node, String text, boolean numbered) {
        if (json.isObject()) {
            assertEquals(TomlNode.Kind.TABLE, node.kind(), text);
            List<String> names = new ArrayList<>();
            json.fieldNames().forEachRemaining(names::add);
            assertEquals(names, List.copyOf(node.children().keySet()), text);
            names.forEach(name -> same(json.get(name), child(node, name), text, numbered));
        } else if (json.isArray()) {
            assertEquals(TomlNode.Kind.ARRAY, node.kind(), text);
            assertEquals(json.size(), node.elements().size(), text);
            for (int i = 0; i < json.size(); i++) {
                same(json.get(i), node.elements().get(i), text, numbered);
            }
        } else {
            boolean bare = node.kind() == TomlNode.Kind.BARE;
            assertEquals(TomlNode.Kind.STRING == node.kind(), !bare, text);
            if (numbered && bare && json.isInt()) {
                assertEquals(json.intValue(), node.line(), text);
            }
        }
    }

    private static TomlNode child(TomlNode node, String name) {
        return Optional.ofNullable(node.child(name)).orElseThrow();
    }
}
