// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be read, or are not TOML. */
class BrokenSyntaxTest {
    private static final String OPEN = "the file ends inside a value; is a quote or a bracket not closed?";
    private static final String SHORT = "the line ends too early; is a quote or a bracket not closed?";
    private static final String LONG = "the line goes on after the value; is it a string without quotes?";

    @TempDir
    private Path directory = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = directory.resolve("x.toml");
    }

    @TestFactory
    Stream<DynamicTest> saysWhereTheSyntaxIsWrong() {
        return Stream.of(
                        syntax("a = 1\nb =\n", "2: syntax error: " + SHORT),
                        syntax("a = 1\nb = \"x\nc = 2\n", "2: syntax error: " + SHORT),
                        syntax("a = 1\nb = [1,\n2\n", "2: syntax error: " + OPEN),
                        syntax("b = \"\"\"\nx\n", "1: syntax error: " + OPEN),
                        syntax("a = 1\nb c = 2\n", "2: syntax error: unexpected \"c\"; a string needs quotes"),
                        syntax("\n\n= 1\n", "3: syntax error: a key or a [table] is missing"),
                        syntax("a = tru\n", "1: syntax error: unexpected \"t\"; a string needs quotes"),
                        syntax("a = 10.0.0.1\n", "1: syntax error: " + LONG),
                        syntax("a = 2s\n", "1: syntax error: " + LONG),
                        syntax("a = 1 b = 2\n", "1: syntax error: " + LONG),
                        syntax("a = [1 2]\n", "1: syntax error: " + LONG),
                        syntax("[a\nb = 1\n", "1: syntax error: " + SHORT),
                        syntax("[[a]\n\n\nb = 1\n", "1: syntax error: the brackets around a name do not match"),
                        syntax("[a]]\nb = 1\n", "1: syntax error: the brackets around a name do not match"),
                        syntax("[]\n", "1: syntax error: a key is missing"),
                        syntax("a.b\n", "1: syntax error: " + SHORT),
                        syntax("a = 007\n", "1: syntax error: a number may not start with 0"),
                        syntax(
                                "a = \"\\q\"\n",
                                "1: syntax error: a string has an unknown escape; write \\\\ for a backslash"),
                        syntax("a = { b = 1, }\n", "1: syntax error: an inline table may not end with a comma"),
                        syntax("a = { b = 1\n}\n", "1: syntax error: " + SHORT),
                        syntax("a = 1\n# \u0001\n", "2: syntax error: there is a control character"),
                        syntax("a = \"\\UFFFFFFFF\"\n", "1: syntax error: a string has an escape that is no character"),
                        syntax("a = 1\r\nb = 2\rc", "2: syntax error: " + SHORT),
                        syntax("# \u2028\u0085\na = tru\n", "2: syntax error: unexpected \"t\"; a string needs quotes"),
                        syntax("a = " + "[".repeat(9000), "1: syntax error: a value is nested too deeply or too long"),
                        syntax(
                                "a.".repeat(9000) + "b = 1",
                                "1: syntax error: a value is nested too deeply or too long"),
                        syntax("[a]\n[a]\nb =\n", "2: a: is already defined in line 1", "3: syntax error: " + SHORT),
                        syntax(
                                "a = 1\na = 2\nb =\nb = 3\n",
                                "2: a: is already set in line 1",
                                "3: syntax error: " + SHORT))
                .map(edit -> dynamicTest(edit.problems().toString(), () -> {
                    Problems problems = new Problems(file);
                    TomlFile.parse(edit.from(), problems);
                    assertEquals(edit.problems(), shown(problems));
                }));
    }

    @TestFactory
    Stream<DynamicTest> findsEveryDuplicate() {
        return Stream.of(
                        syntax(
                                "a = 1\n\"a\" = 2\n'a'.b = 1\n",
                                "2: a: is already set in line 1",
                                "3: a: is already set in line 1"),
                        syntax(
                                "a = { b = 1, b = 2, c = 3, b.d = 4 }",
                                "1: a.b: is already set in line 1",
                                "1: a.b: is already set in line 1"),
                        syntax("[a]\nb = 1\n[a]\nb = 2\n[a]\n", "3: a: is already defined in line 1"),
                        syntax(
                                "[a.b]\n[a]\n[a.b]\n[a]\n",
                                "3: a.b: is already defined in line 1",
                                "4: a: is already defined in line 2"),
                        syntax("a.b = 1\n[a]\n[[a]]\n", "2: a: is already defined in line 1"),
                        syntax(
                                "[[a]]\nb = 1\nb = 2\n[[a]]\nb = 3\nb = 4\n",
                                "3: a[0].b: is already set in line 2",
                                "6: a[1].b: is already set in line 5"),
                        syntax("a = []\n[[a]]\nb = 1\n[[a.c]]\n", "2: a: is already defined in line 1"),
                        syntax("a = [\n { b = 1,\tb = 2 } ]\n", "2: a[0].b: is already set in line 2"))
                .map(edit -> dynamicTest(edit.problems().toString(), () -> {
                    Problems problems = new Problems(file);
                    TomlFile.parse(edit.from(), problems);
                    assertEquals(edit.problems(), shown(problems));
                }));
    }

    private static Edit syntax(String text, String... problems) {
        return Edit.of(text, "", problems);
    }

    private List<String> shown(Problems problems) {
        return Edit.problems(new LoadResult(java.util.Optional.empty(), problems.sorted()));
    }

    private List<String> read() {
        Problems problems = new Problems(file);
        TomlFile.read(file, problems);
        return problems.sorted().stream()
                .map(p -> p.toString().replace(directory + "/", ""))
                .toList();
    }

    @Test
    void saysWhyAFileCannotBeRead() throws IOException {
        assertEquals(List.of("x.toml: does not exist"), read());
        Files.createDirectory(file);
        assertEquals(List.of("x.toml: is not a regular file"), read());
    }

    @Test
    void refusesWhatIsNotUtf8() throws IOException {
        Files.write(file, "a = 1\n# gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(List.of("x.toml:2: is not UTF-8"), read());
        Files.write(file, new byte[] {'a', '\n', (byte) 0xc3});
        assertEquals(List.of("x.toml:2: is not UTF-8"), read());
    }

    @Test
    void refusesLargeFiles() throws IOException {
        Files.writeString(file, "#".repeat(TomlFile.MAX_BYTES));
        assertEquals(List.of(), read());
        Files.writeString(file, "#".repeat(TomlFile.MAX_BYTES + 1));
        assertEquals(List.of("x.toml: is too large: more than 16 MiB"), read());
    }

    @Test
    void takesAByteOrderMark() throws IOException {
        Files.writeString(file, "\ufeffa = 1\n");
        assertEquals(List.of(), read());
    }
}
