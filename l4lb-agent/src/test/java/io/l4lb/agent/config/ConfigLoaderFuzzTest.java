// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;
import net.jqwik.api.lifecycle.BeforeProperty;

/** Random damage to a good file either leaves it good or is a problem in a line of the file. */
class ConfigLoaderFuzzTest {
    private static final List<String> PIECES = List.of(
            "\"",
            "'",
            "\"\"\"",
            "[",
            "]",
            "{",
            "}",
            "=",
            ".",
            ",",
            "#",
            "\n",
            "\r",
            "-1",
            "0",
            "1e3",
            "nan",
            "true",
            "\\",
            "name",
            "services",
            "[bgp]\n",
            "[[services]]\n",
            "1979-05-27",
            "10.0.1.1",
            "\u0000",
            "\u00fc",
            "\ud800");

    private Path directory = Path.of("");

    @BeforeProperty
    void create() throws IOException {
        directory = Files.createTempDirectory("l4lb-config-fuzz");
    }

    @AfterProperty
    void delete() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Property(tries = 1500)
    void damageIsReported(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        ConfigFiles files = new ConfigFiles(directory);
        String text = ConfigFiles.WHOLE;
        for (int i = 0; i <= random.nextInt(3); i++) {
            text = random.nextBoolean() ? damageLine(text, random) : damageText(text, random);
        }
        files.write("l4lb.toml", text.replace('\ud800', '?'));
        int lines = (int) Files.readString(files.main())
                        .chars()
                        .filter(c -> c == '\n')
                        .count()
                + 1;

        LoadResult result = files.load();

        List<Problem> ofMain = result.problems().stream()
                .filter(problem -> problem.file().equals(files.main()))
                .toList();
        assertEquals(ofMain.isEmpty(), result.config().isPresent(), text);
        assertEquals(
                result.problems().isEmpty(),
                result.config().map(Config::complete).orElse(false),
                text);
        // Only the path of services-dir leads elsewhere: to a directory that is not there.
        for (Problem problem : result.problems()) {
            if (!ofMain.contains(problem)) {
                assertEquals(new Problem(problem.file(), 0, "", "does not exist"), problem, text);
                assertTrue(Files.notExists(problem.file()), text);
            }
        }
        for (Problem problem : ofMain) {
            assertTrue(problem.line() >= 0 && problem.line() <= lines, problem + "\n" + text);
            assertTrue(problem.line() > 0 || problem.message().equals("is missing"), problem + "\n" + text);
        }
        assertEquals(result, files.load(Optional.empty()));
    }

    private static String damageText(String text, Random random) {
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(4));
        String piece = random.nextInt(3) == 0 ? "" : PIECES.get(random.nextInt(PIECES.size()));
        return text.substring(0, from) + piece + text.substring(to);
    }

    private static String damageLine(String text, Random random) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int one = random.nextInt(lines.size());
        int other = random.nextInt(lines.size());
        switch (random.nextInt(3)) {
            case 0 -> lines.remove(one);
            case 1 -> lines.add(other, lines.get(one));
            default -> Collections.swap(lines, one, other);
        }
        return String.join("\n", lines);
    }
}
