// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.model.Availability;
import io.l4lb.agent.model.Availability.AllDown;
import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.agent.model.Availability.Policy;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import io.l4lb.test.Address;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service does when its reals fail. */
class AvailabilityReaderTest {
    private static final String SERVICE = """
            [[services]]
            name = "s"
            vips = ["192.0.2.1"]
            protocol = "tcp"
            port = 80
            reals = [{ address = "10.0.1.1" }]
            """;

    @TempDir
    private Path directory = Path.of("");

    private Availability availability(String rest) {
        return new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL + SERVICE + rest)
                .loadGood()
                .services()
                .get(0)
                .availability();
    }

    private List<String> problems(String rest) {
        ConfigFiles files = new ConfigFiles(directory).writeMain(ConfigFiles.SMALL + SERVICE + rest);
        return files.problems(files.load());
    }

    private Panic ofAll(String keys) {
        return new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL.replace("[agent]\n", "[agent]\n" + keys))
                .loadGood()
                .agent()
                .panic();
    }

    @Test
    void fillsInDefaults() {
        assertEquals(
                new Availability(new Quorum(1, false), new Panic(50, Duration.ofSeconds(30)), AllDown.WITHDRAW),
                availability(""));
        assertEquals(new Panic(50, Duration.ofSeconds(30)), ofAll(""));
    }

    @Test
    void readsEveryKey() {
        assertEquals(
                new Availability(
                        new Quorum(1, false),
                        new Panic(30, Duration.ofMinutes(1)),
                        new AllDown(Policy.SORRY, Optional.of(new Real(Address.ip("10.0.9.9"), 100)))),
                availability("""
                        panic-share = "30%"
                        panic-window = "1m"
                        all-down = "sorry"
                        [services.sorry]
                        address = "10.0.9.9"
                        """));
        assertEquals(
                new AllDown(Policy.KEEP_ALL, Optional.empty()),
                availability("all-down = \"keep-all\"\n").allDown());
        assertEquals(new Panic(100, Duration.ofSeconds(10)), ofAll("panic-share = \"100%\"\npanic-window = \"10s\"\n"));
    }

    @Test
    void reportsWhatCannotBe() {
        assertEquals(
                List.of(
                        "panic-share: \"0%\" is not a share; use \"1%\" to \"100%\", of which \"100%\" turns the rule off",
                        "panic-window: \"2h\" is out of range; use \"1s\" to \"3600s\"",
                        "all-down: \"keep\" is not known; use \"withdraw\" or \"keep-all\" or \"sorry\""),
                words(problems("panic-share = \"0%\"\npanic-window = \"2h\"\nall-down = \"keep\"\n")));
        assertEquals(
                List.of("panic-share: expected a percentage such as \"50%\", found the number 50"),
                words(problems("panic-share = 50\n")));
    }

    @Test
    void aSorryRealAndItsPolicyBelongTogether() {
        assertEquals(
                List.of("sorry: is missing: all-down = \"sorry\" needs the address of a real"),
                words(problems("all-down = \"sorry\"\n")));
        assertEquals(
                List.of("sorry: is only for all-down = \"sorry\""),
                words(problems("[services.sorry]\naddress = \"10.0.9.9\"\n")));
        assertEquals(List.of("sorry.address: is missing"), words(problems("all-down = \"sorry\"\n[services.sorry]\n")));
    }

    /** As another real is. */
    @Test
    void aSorryRealIsNoVipAndNoOtherReal() {
        String sorry = "all-down = \"sorry\"\n[services.sorry]\naddress = ";
        assertEquals(
                List.of("sorry.address: 192.0.2.1 is a VIP of this service (line LINE)"),
                words(problems(sorry + "\"192.0.2.1\"\n")));
        assertEquals(
                List.of("sorry.address: 10.0.1.1 is an address of this service (line LINE) already"),
                words(problems(sorry + "\"10.0.1.1\"\n")));
    }

    private static List<String> words(List<String> problems) {
        return problems.stream()
                .map(text ->
                        text.replaceFirst("^.*services\\[0\\]\\.", "").replaceAll("\\(line \\d+\\)", "(line LINE)"))
                .toList();
    }
}
