// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.model.Config;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigDiffTest {
    @TempDir
    private Path directory = Path.of("");

    private Config load(String toml) {
        return new ConfigFiles(directory).writeMain(toml).loadGood();
    }

    @Test
    void namesTheKeysThatNeedARestart() {
        Config whole = load(ConfigFiles.WHOLE);
        assertEquals(List.of(), ConfigDiff.needsRestart(whole, load(ConfigFiles.WHOLE)));
        assertEquals(
                List.of(
                        "agent.control-socket",
                        "agent.metrics-listen",
                        "xdp.mode",
                        "xdp.mtu",
                        "bgp.local-as",
                        "bgp.neighbors"),
                ConfigDiff.needsRestart(
                        whole,
                        load(ConfigFiles.WHOLE
                                .replace("control.sock", "c.sock")
                                .replace(":9650", ":9651")
                                .replace("\"auto\"  ", "\"generic\"  ")
                                .replace("1500", "1480")
                                .replace("65001", "65002")
                                .replace("65000", "65003"))));
        assertEquals(
                List.of("agent.metrics-listen", "agent.hash-seed-file", "bgp"),
                ConfigDiff.needsRestart(whole, load(ConfigFiles.SMALL)));
    }

    @Test
    void aChangedServiceNeedsNoRestart() {
        Config changed = load(ConfigFiles.WHOLE.replace("port = 80", "port = 81"));
        assertEquals(List.of(), ConfigDiff.needsRestart(load(ConfigFiles.WHOLE), changed));
    }

    @Test
    void namesServicesThatWereAddedRemovedOrChanged() {
        String same = ConfigFiles.service("same", "192.0.2.1", 1);
        Config before = load(ConfigFiles.SMALL
                + ConfigFiles.service("removed", "192.0.2.1", 2)
                + same
                + ConfigFiles.service("changed", "192.0.2.1", 3));
        Config after = load(ConfigFiles.SMALL
                + ConfigFiles.service("changed", "192.0.2.1", 4)
                + same
                + ConfigFiles.service("added", "192.0.2.1", 5));
        assertEquals(List.of("added", "changed", "removed"), ConfigDiff.changedServices(before, after));
    }

    @Test
    void everyKeyOfXdpNeedsARestart() {
        Config running = load(ConfigFiles.SMALL);
        assertEquals(
                ConfigDiff.xdpKeys().keySet().stream().map("xdp."::concat).toList(),
                ConfigDiff.needsRestart(running, load(XdpReaderTest.EVERY_KEY)));
    }
}
