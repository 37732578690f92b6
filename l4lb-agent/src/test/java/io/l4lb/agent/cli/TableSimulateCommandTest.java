// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.control.Json;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.simulation.Disruption;
import io.l4lb.hashing.simulation.Event;
import io.l4lb.hashing.simulation.Simulation;
import io.l4lb.hashing.simulation.SimulationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSimulateCommandTest {
    private static final String SEED = "00112233445566778899aabbccddeeff";
    private static final HashSeed ZEROS = new HashSeed(0, 0);
    private static final int SIZE = 211;

    private Path directory = Path.of("");
    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path temporary) {
        directory = temporary;
        fixture = new CommandLineFixture(temporary);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Outcome simulate(String... arguments) {
        return fixture.run(Stream.concat(Stream.of("table", "simulate"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    private JsonNode json(String... arguments) throws JsonProcessingException {
        Outcome outcome = simulate(
                Stream.concat(Stream.of(arguments), Stream.of("-o", "json")).toArray(String[]::new));
        assertEquals("", outcome.err());
        assertEquals(0, outcome.code());
        return Json.parse(outcome.out());
    }

    private static List<WeightedReal> equal(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> new WeightedReal("10.0.0." + i, 100))
                .toList();
    }

    private static Simulation simulation(List<WeightedReal> reals, HashSeed seed, double factor) {
        return new Simulation(reals, SIZE, seed, factor, Simulation.affordableTrials(reals.size(), SIZE));
    }

    private static String expected(String service, Simulation simulation, Scheduler... schedulers) {
        List<String> rows = new ArrayList<>();
        for (Scheduler scheduler : schedulers) {
            SimulationResult result = simulation.run(scheduler);
            for (Disruption each : result.disruptions()) {
                rows.add("""
                        {%s"scheduler": "%s", "event": "%s", "moved": %s, "unavoidable": %s, "maxOverAverage": %s,
                         "worstMoved": %d, "trials": %d, "minOverAverageBefore": %s, "maxOverAverageBefore": %s}
                        """.formatted(
                                service.isEmpty() ? "" : "\"service\": \"" + service + "\", ",
                                scheduler.key(),
                                each.event().key(),
                                each.moved(),
                                each.unavoidable(),
                                each.maxOverAverage(),
                                each.worstMoved(),
                                each.trials(),
                                result.balance().minOverAverage(),
                                result.balance().maxOverAverage()));
            }
        }
        return String.join(",", rows);
    }

    private static JsonNode list(String... rows) throws JsonProcessingException {
        return Json.parse("[" + String.join(",", rows) + "]");
    }

    private Path config(String seedFile) throws IOException {
        Files.createDirectories(directory.resolve("services.d"));
        return Files.writeString(
                directory.resolve("l4lb.toml"), """
                [agent]
                services-dir = "%s"
                hash-seed-file = "%s"
                [xdp]
                interfaces = ["eth0"]
                [[services]]
                name = "web"
                vips = ["192.0.2.10"]
                protocol = "tcp"
                port = 80
                table-size = 211
                [services.health-check]
                type = "tcp"
                [[services.reals]]
                address = "10.0.0.1"
                [[services.reals]]
                address = "10.0.0.2"
                weight = 50
                [[services.reals]]
                address = "10.0.0.3"
                weight = 0
                [[services]]
                name = "mail"
                vips = ["192.0.2.11"]
                protocol = "tcp"
                port = 25
                table-size = 211
                [services.health-check]
                type = "tcp"
                [[services.reals]]
                address = "10.0.1.1"
                """.formatted(directory.resolve("services.d"), seedFile));
    }

    private Path configWithSeed() throws IOException {
        return config(Files.writeString(directory.resolve("hash.seed"), SEED).toString());
    }

    @Test
    void everySchedulerAndEventAsJson() throws JsonProcessingException {
        JsonNode rows = json("--reals", "5", "--table-size", "211");
        assertEquals(list(expected("", simulation(equal(5), ZEROS, 1.01), Scheduler.values())), rows);
        assertEquals(Scheduler.values().length * Event.values().length, rows.size());
        rows.forEach(row -> {
            for (String key : List.of("moved", "unavoidable", "maxOverAverage")) {
                assertTrue(row.path(key).isNumber(), row.toString());
            }
        });
    }

    @Test
    void optionsAreUsed() throws JsonProcessingException {
        Scheduler last =
                Stream.of(Scheduler.values()).reduce((first, second) -> second).orElseThrow();
        String word = last.key();
        String expected = expected("", simulation(equal(5), HashSeed.ofHex(SEED), 0.5), last);
        assertEquals(
                list(expected),
                json("--reals=5", "--table-size=211", "--scheduler", word, "--reweight", "-50%", "--seed", SEED));
        assertEquals(
                list(expected),
                json(
                        "--reals=5",
                        "--table-size=211",
                        "--scheduler",
                        word,
                        "--scheduler",
                        word,
                        "--reweight=-50%",
                        "--seed",
                        SEED));
        assertEquals(
                json("--reals=5", "--table-size=211").size(),
                json("--reals=5", "--table-size=211", "--scheduler", word, "--scheduler=all")
                        .size());
    }

    @Test
    void theServicesOfAFile() throws IOException {
        String file = configWithSeed().toString();
        HashSeed seed = HashSeed.ofHex(SEED);
        List<WeightedReal> reals = List.of(
                new WeightedReal("10.0.0.1", 100), new WeightedReal("10.0.0.2", 50), new WeightedReal("10.0.0.3", 0));
        String web = expected("web", simulation(reals, seed, 1.01), Scheduler.values());
        String mail = expected(
                "mail", simulation(List.of(new WeightedReal("10.0.1.1", 100)), seed, 1.01), Scheduler.values());
        assertEquals(list(web, mail), json(file));
        assertEquals(list(mail), json(file, "--service", "mail"));
        assertEquals(
                list(expected("web", simulation(reals, ZEROS, 1.01), Scheduler.values())),
                json(file, "--service", "web", "--seed", "0".repeat(32)));
        String text = simulate(file, "--table-size", "101").out();
        assertTrue(
                text.startsWith("web: 3 reals (1 of weight 0), 101 slots, seed of " + directory + "/hash.seed\n"),
                text);
        assertTrue(text.contains("\n\nmail: 1 real, 101 slots, seed of "), text);
        assertFalse(text.contains(SEED), text);
    }

    @Test
    void theSeedMayBeOutOfReach() throws IOException {
        Outcome outcome = simulate(config("/nonexistent/seed").toString(), "-o", "json");
        assertEquals(
                "l4lb table simulate: hash-seed-file \"/nonexistent/seed\" does not exist; going on with the default"
                        + " seed\n",
                outcome.err());
        assertEquals(0, outcome.code());
        assertEquals(Json.parse(outcome.out()), json(config("/nonexistent/seed").toString(), "--seed", "0".repeat(32)));
    }

    @Test
    void itIsSaidThatTheKernelMakesTablesToo() throws IOException {
        Path file = configWithSeed();
        Files.writeString(
                file,
                Files.readString(file)
                        .replace("[agent]", "[agent]\ndataplane = \"ipvs\"")
                        .replace("xdp", "ipvs"));
        Outcome outcome = simulate(file.toString(), "-o", "json");
        assertEquals(
                "l4lb table simulate: tables that the kernel's schedulers make are others than these; l4lb config diff"
                        + " says what a change of the file moves in them\n",
                outcome.err());
        assertEquals(0, outcome.code());
    }

    @Test
    void aBrokenFileIsRefusedWithAllItsProblems() throws IOException {
        Path file = configWithSeed();
        Files.writeString(
                file,
                Files.readString(file).replace("port = 25", "port = 70000").replace("eth0", ""));
        String problems = ConfigLoader.load(file, Optional.empty()).problems().stream()
                .map(problem -> problem + "\n")
                .reduce("", String::concat);
        assertEquals(2, problems.lines().count(), problems);
        for (String format : List.of("table", "json")) {
            assertEquals(new Outcome(1, "", problems), simulate(file.toString(), "-o", format));
        }
        assertEquals(1, simulate("/nonexistent/l4lb.toml").code());
    }

    @Test
    void aServiceThatIsNotThereIsRefused() throws IOException {
        assertEquals(
                new Outcome(1, "", "l4lb table simulate: no service is named \"nope\"\n"),
                simulate(configWithSeed().toString(), "--service", "nope"));
    }

    @Test
    void textFitsTheTerminal() {
        for (String count : List.of("3", "40")) {
            fixture.environment.put("LANG", "C");
            fixture.environment.put("COLUMNS", "50");
            Outcome plain = simulate("--reals", count, "--table-size", "211");
            assertEquals("", plain.err());
            assertTrue(plain.out()
                    .startsWith(count + " reals, 211 slots, seed 00000000000000000000000000000000 (the default)\n"
                            + "reweight: the weight of one real +1%\n\nSCHEDULER"));
            assertTrue(plain.out().chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)), plain.out());
            assertTrue(plain.out().lines().filter(line -> line.contains("##")).allMatch(line -> line.length() <= 50));
            for (Scheduler scheduler : Scheduler.values()) {
                String word = scheduler.key();
                assertTrue(plain.out().contains("\n" + word + ": "), plain.out());
                for (Event event : Event.values()) {
                    assertTrue(plain.out().matches("(?s).*\\n" + word + " +" + event.key() + " .*"), plain.out());
                }
            }
            fixture.environment.put("LANG", "C.UTF-8");
            Outcome blocks = simulate("--reals", count, "--table-size", "211");
            assertFalse(blocks.out().contains("#"));
            assertTrue(blocks.out().contains("██"));
        }
        assertTrue(simulate("--reals=3", "--table-size=211", "-o", "wide").out().contains("TRIALS\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            quoteCharacter = '`',
            value = {
                "`` # Error: Missing required argument (specify one of these): (FILE | --reals=N)",
                "a.toml --reals 3 # Error: FILE, --reals=N are mutually exclusive (specify only one)",
                "--reals 0 # Invalid value for option '--reals': 0 is out of range; use 1 to 100000",
                "--reals x # Invalid value for option '--reals': \"x\" is not a number from 1 to 100000",
                "--reals 3 --service web # --service is of a FILE, not of --reals",
                "--reals 3 --table-size 65536 # Invalid value for option '--table-size': 65536 is not a prime;"
                        + " the nearest are 65521 and 65537",
                "--reals 3 --table-size 2 # Invalid value for option '--table-size': 2 is out of range; use 3 to"
                        + " 5000011",
                "--reals 3 --table-size 5000010 # Invalid value for option '--table-size': 5000010 is not a"
                        + " prime; the nearest are 4999999 and 5000011",
                "--reals 12 --table-size 11 # --table-size 11 is less than the number of reals, 12",
                "--reals 3 --reweight 5 # Invalid value for option '--reweight': \"5\" is not a change in"
                        + " percent, as 1% or -50%",
                "--reals 3 --reweight 0% # Invalid value for option '--reweight': 0% changes nothing",
                "--reals 3 --reweight -100% # Invalid value for option '--reweight': -100% leaves no weight;"
                        + " the event \"leave\" is simulated anyway",
                "--reals 3 --seed xyz # Invalid value for option '--seed': a seed has 32 hexadecimal digits",
            })
    void wrongUsage(String arguments, String error) {
        Outcome outcome = simulate(arguments.isEmpty() ? new String[0] : arguments.split(" "));
        assertEquals("l4lb table simulate: " + error + " (see l4lb table simulate --help)\n", outcome.err());
        assertEquals("", outcome.out());
        assertEquals(2, outcome.code());
    }

    @Test
    void anUnknownSchedulerIsWrongUsage() {
        Outcome outcome = simulate("--reals", "3", "--scheduler", "nope");
        assertTrue(outcome.err().contains("\"nope\" is not known; use "), outcome.err());
        for (Scheduler scheduler : Scheduler.values()) {
            assertTrue(outcome.err().contains(scheduler.key()), outcome.err());
        }
        assertEquals(2, outcome.code());
    }
}
