// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.hashing.HashKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the project shows as configuration is one: example.toml, and the one in README.md. */
class ExampleTest {
    private static final Path CHECKOUT = Path.of("..");
    private static final String SEED = "/etc/l4lb/hash.seed";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void theExampleHasNoProblem() throws IOException {
        Config config = load(Files.readString(CHECKOUT.resolve("example.toml")));
        assertEquals(2, config.bgp().orElseThrow().neighbors().size());
        assertEquals(2, config.services().get(0).reals().size());
        assertEquals(HashKey.QUIC_CID, config.services().get(1).balancing().hashKey());
        assertEquals(Protocol.ANY, config.services().get(2).frontend().protocol());
    }

    /** Those that have one, of which the outer sources have none. */
    @Test
    void theExampleHasEveryKeyOfXdpWithItsDefault() throws IOException {
        String example = Files.readString(CHECKOUT.resolve("example.toml"));
        XdpSection xdp = load(example).xdp();
        assertEquals(
                new XdpSection(
                        "eth0",
                        XdpSection.Mode.AUTO,
                        XdpSection.NextHop.GATEWAY,
                        Path.of("/sys/fs/bpf/l4lb"),
                        1500,
                        XdpSection.FlowTable.DEFAULT_SIZE),
                new XdpSection(
                        xdp.placement(),
                        new XdpSection.Tunnels(xdp.nextHop(), xdp.mtu(), Optional.empty(), Optional.empty()),
                        xdp.flowTable(),
                        xdp.answers()));
        for (String key : ConfigDiff.xdpKeys().keySet()) {
            assertTrue(Pattern.compile("^" + key + " = ", Pattern.MULTILINE)
                    .matcher(example)
                    .find());
        }
    }

    /** Those that have one; the kernel's timeouts are as they are, and shown as comments. */
    @Test
    void theExampleHasEveryKeyOfIpvsWithItsDefault() throws IOException {
        String example = Files.readString(CHECKOUT.resolve("example.toml"));
        String table = example.substring(example.indexOf("\n[ipvs]"), example.indexOf("\n[bgp]"));
        for (String key : ConfigDiff.ipvsKeys().keySet()) {
            assertTrue(Pattern.compile("^(# )?" + key + " = ", Pattern.MULTILINE)
                    .matcher(table)
                    .find());
        }
        String alone = "[agent]\ndataplane = \"ipvs\"\n" + table;
        assertEquals(IpvsSection.on(List.of("eth0")), load(alone).dataplane());
        Config all = load(alone.replace("# tcp", "tcp").replace("# udp", "udp"));
        assertEquals(
                Optional.of(Duration.ofMinutes(5)),
                ((IpvsSection) all.dataplane()).timeouts().udp());
    }

    /** Each word that the example names in its comments, and no other. */
    @Test
    void theExampleNamesEverySchedulerAndForwarding() throws IOException {
        String example = Files.readString(CHECKOUT.resolve("example.toml"));
        String words = example.substring(example.indexOf("scheduler = "), example.indexOf("quorum = "));
        for (KernelScheduler scheduler : KernelScheduler.values()) {
            assertTrue(words.contains('"' + scheduler.key() + '"'), scheduler.key());
        }
        for (Forwarding forwarding : Forwarding.values()) {
            assertTrue(words.contains('"' + forwarding.key() + '"'), forwarding.key());
        }
    }

    @Test
    void theReadmeHasNoProblem() throws IOException {
        Matcher block = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(CHECKOUT.resolve("README.md")));
        assertTrue(block.find());
        String whole = block.group(1);
        assertEquals("edge", load(whole).services().get(0).name());
        assertTrue(block.find());
        assertEquals("http3", load(whole + block.group(1)).services().get(1).name());
    }

    private Config load(String text) throws IOException {
        Path seed = Files.writeString(directory.resolve("hash.seed"), "0123456789abcdef".repeat(2) + "\n");
        Path file = Files.writeString(directory.resolve("l4lb.toml"), text.replace(SEED, seed.toString()));
        LoadResult result = ConfigLoader.load(file, Optional.empty());
        assertEquals(List.of(), result.problems());
        return result.config().orElseThrow();
    }
}
