// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.XdpSection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done before the kernel is asked; nothing is pinned where these look. */
final class ReleaseTest {
    /** Its field in proc(5) stat, whose second has no blanks here. */
    private static final int START_TIME = 21;

    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();

    private Release release() {
        Config some = config(web(real(ONE, 100)));
        Path state = directory.resolve("state");
        return new Release(
                new Config(
                        new AgentSection(
                                AgentSection.Dataplane.XDP, state, state, state, Optional.empty(), Optional.empty()),
                        new XdpSection(
                                "l4lb-none",
                                XdpSection.Mode.AUTO,
                                XdpSection.NextHop.GATEWAY,
                                directory.resolve("pins"),
                                1500,
                                1),
                        Optional.empty(),
                        some.services(),
                        some.serviceFiles(),
                        true),
                told::add,
                told::add);
    }

    @Test
    void isRefusedWhileAnAgentRuns() throws Exception {
        try (StateDirectory agent = StateDirectory.lock(directory.resolve("state"))) {
            for (boolean dryRun : List.of(true, false)) {
                DataplaneException refused =
                        assertThrows(DataplaneException.class, () -> release().run(dryRun));
                assertEquals(
                        "another agent is running: it holds "
                                + agent.directory().resolve("agent.lock"),
                        refused.getMessage());
            }
        }
    }

    @Test
    void anExaBgpThatItsAgentHasLeftIsEnded() throws Exception {
        Path bgp = Files.createDirectories(directory.resolve("state/bgp"));
        String conf = bgp.resolve("exabgp.conf").toString();
        // It waits for its standard input, and is named as one is.
        Process exabgp = new ProcessBuilder("sh", "-c", "read line", "exabgp", conf).start();
        try {
            String[] stat =
                    Files.readString(Path.of("/proc/" + exabgp.pid() + "/stat")).split(" ", -1);
            Files.writeString(bgp.resolve("exabgp.pid"), exabgp.pid() + "-" + stat[START_TIME] + "\n");
            String words = "ExaBGP, process " + exabgp.pid() + ", and with it the routes";
            release().run(true);
            assertEquals(List.of(words), told);
            assertTrue(exabgp.isAlive());
            told.clear();
            release().run(false);
            assertEquals(List.of(words), told);
            assertTrue(exabgp.waitFor(10, TimeUnit.SECONDS));
        } finally {
            exabgp.destroyForcibly();
        }
    }

    @Test
    void soIsOneThatNoFileNames() throws Exception {
        Path bgp = Files.createDirectories(directory.resolve("state/bgp"));
        Path conf = Files.createFile(bgp.resolve("exabgp.conf"));
        String env = bgp.resolve("exabgp.env").toString();
        Process exabgp = new ProcessBuilder("sh", "-c", "read line", "exabgp", "--env", env, conf.toString()).start();
        try {
            Files.writeString(bgp.resolve("exabgp.pid"), "1-1\n");
            release().run(false);
            assertEquals(List.of("ExaBGP, process " + exabgp.pid() + ", and with it the routes"), told);
            assertTrue(exabgp.waitFor(10, TimeUnit.SECONDS));
        } finally {
            exabgp.destroyForcibly();
        }
    }

    @Test
    void aDryRunMakesNothing() {
        release().run(true);
        assertFalse(Files.exists(directory.resolve("state")));
    }
}
