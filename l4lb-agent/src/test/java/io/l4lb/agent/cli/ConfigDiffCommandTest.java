// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ConfigDiffView.KeyChange;
import io.l4lb.agent.status.ConfigDiffView.ServiceChange;
import io.l4lb.agent.status.ConfigDiffView.TableChange;
import io.l4lb.agent.status.IpvsadmView;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code l4lb config diff}, and {@code l4lb service list -o ipvsadm}. */
class ConfigDiffCommandTest {
    private static final ConfigDiffView DIFFERENT = new ConfigDiffView(
            true,
            List.of(),
            List.of(
                    new ServiceChange("dns", "added", List.of()),
                    new ServiceChange(
                            "edge",
                            "changed",
                            List.of(
                                    new KeyChange("scheduler", "maglev", "ketama"),
                                    new KeyChange("reals[10.0.1.3]", "", "weight 100"))),
                    new ServiceChange("old", "removed", List.of())),
            List.of(
                    new TableChange("edge", "tcp 192.0.2.10 port 80", 4093, 4093, true, 41, "0a", "0b", "a note"),
                    new TableChange("edge", "tcp 192.0.2.11 port 80", 4093, 251, false, 251, "0a", "0b", ""),
                    new TableChange("edge", "tcp 192.0.2.12 port 80", 0, 251, false, -1, "", "0b", ""),
                    new TableChange("edge", "tcp 192.0.2.13 port 80", 0, 0, false, -1, "", "", "")));

    private CommandLineFixture fixture;

    @BeforeEach
    void start(@TempDir Path directory) {
        fixture = new CommandLineFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private Outcome diff(ConfigDiffView answer, String... options) {
        fixture.api.differs(CompletableFuture.completedFuture(answer));
        String[] words = new String[options.length + 2];
        words[0] = "config";
        words[1] = "diff";
        System.arraycopy(options, 0, words, 2, options.length);
        return fixture.run(words);
    }

    @Test
    void servicesAndTheSlotsThatMove() {
        assertEquals(new Outcome(0, """
                SERVICE  CHANGE   KEY              BEFORE  AFTER
                dns      added    -                -       -
                edge     changed  scheduler        maglev  ketama
                edge     changed  reals[10.0.1.3]  -       weight 100
                old      removed  -                -       -

                SERVICE  VIP                           SLOTS  MOVED    SHARE  NOTE
                edge     tcp 192.0.2.10 port 80         4093     41    1.00%  a note
                edge     tcp 192.0.2.11 port 80  4093 -> 251    all  100.00%  -
                edge     tcp 192.0.2.12 port 80  none -> 251      -        -  -
                edge     tcp 192.0.2.13 port 80            -      -        -  -
                """, ""), diff(DIFFERENT));
    }

    @Test
    void moreColumnsHaveDigests() {
        String out = diff(DIFFERENT, "-o", "wide").out();
        assertTrue(out.contains("SHARE  DIGEST BEFORE  DIGEST AFTER  NOTE\n"), out);
        assertTrue(out.contains("1.00%  0a             0b            a note\n"), out);
    }

    @Test
    void jsonIsWhatTheAgentSays() throws JsonProcessingException {
        assertEquals(
                Samples.tree(DIFFERENT),
                Json.parse(diff(DIFFERENT, "-o", "json").out()));
    }

    @Test
    void nothingDiffers() {
        ConfigDiffView same = new ConfigDiffView(true, List.of(), List.of(), List.of());
        assertEquals(new Outcome(0, "no differences\n", ""), diff(same));
    }

    @Test
    void problemsAreToldAsAReloadDoes() {
        List<String> problems = List.of("l4lb.toml:3: xdp.mtu: a change needs a restart");
        ConfigDiffView refused = new ConfigDiffView(false, problems, List.of(), List.of());
        assertEquals(
                new Outcome(
                        1,
                        "refused: l4lb.toml:3: xdp.mtu: a change needs a restart\na reload would apply nothing\n",
                        ""),
                diff(refused));
        ConfigDiffView partly = new ConfigDiffView(true, List.of("a.toml:1: port: is missing"), List.of(), List.of());
        assertEquals(new Outcome(1, "refused: a.toml:1: port: is missing\nno differences\n", ""), diff(partly));
    }

    @Test
    void withoutAnAgentThereIsNoDifference() {
        Outcome outcome = fixture.run("config", "diff", "--socket", "/nonexistent/control.sock");
        assertEquals(
                new Outcome(
                        3,
                        "",
                        "l4lb config diff: no agent listens on /nonexistent/control.sock; is it running? (l4lb agent)\n"),
                outcome);
    }

    @Test
    void theHelpSaysWhatNewRealsAreTakenForAndWhatTheExitCodeIs() {
        String help = fixture.run("config", "diff", "--help").out().replaceAll("\\s+", " ");
        assertTrue(help.contains("reals that are new count as up"), help);
        assertTrue(help.contains("The exit code is 0 whether there are differences or not"), help);
    }

    @Test
    void rulesAreForIpvsadm() {
        List<String> rules = List.of("-A -t 192.0.2.10:80 -s rr", "-a -t 192.0.2.10:80 -r 10.0.1.1:80 -g -w 1");
        fixture.api.has(CompletableFuture.completedFuture(new IpvsadmView(rules)));
        Outcome expected = new Outcome(0, String.join("\n", rules) + "\n", "");
        assertEquals(expected, fixture.run("service", "list", "-o", "ipvsadm"));
        assertEquals(expected, fixture.run("-o", "ipvsadm", "service", "list"));
        assertTrue(fixture.run("service", "list", "--help").out().contains("table, wide, json, ipvsadm"));
        assertTrue(fixture.run("-o", "ipvsadm", "status", "--help").out().startsWith("Usage: l4lb status"));
    }

    @Test
    void anotherDataplaneHasNoRules() {
        fixture.api.has(CompletableFuture.failedFuture(ControlException.refused("the dataplane is not ipvs")));
        assertEquals(
                new Outcome(1, "", "l4lb service list: the dataplane is not ipvs\n"),
                fixture.run("service", "list", "-o", "ipvsadm"));
    }
}
