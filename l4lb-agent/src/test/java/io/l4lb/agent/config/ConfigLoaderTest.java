// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.BgpSection;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.Scheduler;
import io.l4lb.healthcheck.Hold;
import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.TcpCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {
    private static final Hold HOLD = new Hold(Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(1));

    @TempDir
    private Path directory = Path.of("");

    private ConfigFiles files = new ConfigFiles(directory);

    @BeforeEach
    void start() {
        files = new ConfigFiles(directory);
    }

    @Test
    void readsAWholeConfiguration() {
        LoadResult result = files.writeMain(ConfigFiles.WHOLE).load();

        assertEquals(List.of(), result.problems());
        Config expected = new Config(
                new AgentSection(
                        AgentSection.Dataplane.XDP,
                        Path.of("/run/l4lb/control.sock"),
                        Path.of("/var/lib/l4lb"),
                        files.servicesDir(),
                        Optional.of("127.0.0.1:9650"),
                        Optional.of(files.seed())),
                new XdpSection(
                        "eth0",
                        XdpSection.Mode.AUTO,
                        XdpSection.NextHop.GATEWAY,
                        Path.of("/sys/fs/bpf/l4lb"),
                        1500,
                        1 << 20),
                Optional.of(new BgpSection(
                        65001,
                        AddressLiteral.routerId("10.0.0.11"),
                        Duration.ofSeconds(9),
                        Path.of("/usr/sbin/exabgp"),
                        List.of(new BgpSection.Neighbor(AddressLiteral.any("10.0.0.1"), 65000)))),
                List.of(edgeHttp()),
                Map.of("edge-http", files.main()),
                true);
        assertEquals(Optional.of(expected), result.config());
    }

    private static Service edgeHttp() {
        return new Service(
                "edge-http",
                new Frontend(
                        List.of(AddressLiteral.any("192.0.2.10"), AddressLiteral.any("2001:db8::10")),
                        Protocol.TCP,
                        80),
                new Balancing(
                        new Scheduling.ByTable(Scheduler.MAGLEV, 65537),
                        HashKey.FIVE_TUPLE,
                        Optional.empty(),
                        Forwarding.IPIP),
                new Quorum(1, false),
                new HealthCheck(
                        new HttpCheck("/health"),
                        new HealthCheck.Way(HealthCheck.Via.TUNNEL, 80, 0),
                        new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2), 2, 3, HOLD),
                        Duration.ofSeconds(1)),
                List.of(new Real(AddressLiteral.any("10.0.1.1"), 100), new Real(AddressLiteral.any("10.0.1.2"), 100)));
    }

    @Test
    void fillsInDefaults() {
        Config config = files.writeMain(ConfigFiles.SMALL + ConfigFiles.service("web", "192.0.2.1", 80))
                .loadGood();

        assertEquals(
                new AgentSection(
                        AgentSection.Dataplane.XDP,
                        Path.of("/run/l4lb/control.sock"),
                        Path.of("/var/lib/l4lb"),
                        files.servicesDir(),
                        Optional.empty(),
                        Optional.empty()),
                config.agent());
        assertEquals(Optional.empty(), config.bgp());
        Service service = config.services().get(0);
        assertEquals(
                new HealthCheck(
                        new TcpCheck(),
                        new HealthCheck.Way(HealthCheck.Via.TUNNEL, 80, 0),
                        new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2), 2, 3, HOLD),
                        Duration.ofSeconds(1)),
                service.healthCheck());
        assertEquals(new Quorum(1, false), service.quorum());
        assertEquals(
                new Balancing(
                        new Scheduling.ByTable(Scheduler.MAGLEV, 65537),
                        HashKey.FIVE_TUPLE,
                        Optional.empty(),
                        Forwarding.IPIP),
                service.balancing());
        assertEquals(List.of(new Real(AddressLiteral.any("10.0.1.1"), 100)), service.reals());
    }

    @Test
    void namesTheDefaultServicesDir() {
        Table nothing = TomlFile.parse("", new Problems(Path.of("x"))).orElseThrow();
        assertEquals(Path.of("/etc/l4lb/services.d"), AgentReader.read(nothing).servicesDir());
    }

    @Test
    void takesEveryFormOfAValue() {
        Config config = files.writeMain(ConfigFiles.WHOLE
                        .replace("quorum = 1", "quorum = \"30%\"")
                        .replace("interval = \"2s\"", "interval = \"1m\"\nhost = \"www.example\"")
                        .replace("timeout = \"1s\"", "timeout = \"0.5s\"")
                        .replace("table-size = 65537", "table-size = 0x10_001")
                        .replace("router-id = \"10.0.0.11\"", "router-id = '10.0.0.11'\nhold-time = \"3s\"")
                        .replace("\"tcp\"   ", "\"udp\"   ")
                        .replace("127.0.0.1:9650", "[::1]:9650")
                        .replace("weight = 100", "weight = 0"))
                .loadGood();

        Service service = config.services().get(0);
        assertEquals(new Quorum(30, true), service.quorum());
        assertEquals(Duration.ofMinutes(1), service.healthCheck().timing().interval());
        assertEquals(Duration.ofMillis(500), service.healthCheck().timeout());
        HttpCheck http = (HttpCheck) service.healthCheck().check();
        assertEquals(Optional.of("www.example"), http.request().host());
        assertEquals(65537, service.balancing().scheduling().tableSize());
        assertEquals(Duration.ofSeconds(3), config.bgp().orElseThrow().holdTime());
        assertEquals(Protocol.UDP, service.frontend().protocol());
        assertTrue(service.reals().stream().allMatch(real -> real.weight() == 0));
    }

    @Test
    void aRouterMayBeAReal() {
        Config config = files.writeMain(ConfigFiles.WHOLE.replace("\"10.0.1.1\"", "\"10.0.0.1\""))
                .loadGood();
        assertEquals(
                AddressLiteral.any("10.0.0.1"),
                config.services().get(0).reals().get(0).address());
    }

    @Test
    void aFileOfServicesIsNoMainFile() {
        LoadResult result =
                files.writeMain(ConfigFiles.service("web", "192.0.2.1", -1)).load();
        assertEquals(Optional.empty(), result.config());
        assertEquals(
                List.of(
                        "l4lb.toml: looks like a file for services-dir: it holds only [[services]]."
                                + " Check the main file instead, which has [agent] and leads to this one",
                        "l4lb.toml:5: services[0].port: -1 is out of range; use 1 to 65535, or \"any\""),
                files.problems(result));
    }

    @Test
    void findsAllProblemsOfAllFilesInOneGo() {
        files.writeMain(ConfigFiles.WHOLE
                .replace("dataplane = \"xdp\"", "dataplane = \"dpdk\"")
                .replace("mode = \"auto\"  ", "mod = \"auto\"  ")
                .replace("mtu = 1500", "mtu = 1500\nmtu = 1400")
                .replace("local-as = 65001", "local-as = 0")
                .replace("peer-as = 65000\n", "")
                .replace("port = 80", "port = \"eighty\"")
                .replace("table-size = 65537", "table-size = 65536")
                .replace("quorum = 1", "quorum = \"0%\"")
                .replace("rise = 2", "rise = 0\ninterval = \"3s\"")
                .replace("address = \"10.0.1.2\"\nweight = 100", "address = \"10.0.1.1\"\nweight = -1"));
        files.writeServices("a.toml", "[[services]]\nname = 1\n").writeServices("b.toml", "[[services]\n");

        LoadResult result = files.load();

        assertEquals(Optional.empty(), result.config());
        assertEquals(
                List.of(
                        "l4lb.toml:2: agent.dataplane: \"dpdk\" is not known; use \"xdp\" or \"ipvs\"",
                        "l4lb.toml:11: xdp.mod: unknown key, did you mean 'mode'?",
                        "l4lb.toml:15: xdp.mtu: is already set in line 14",
                        "l4lb.toml:18: bgp.local-as: 0 is out of range; use 1 to 4294967294",
                        "l4lb.toml:21: bgp.neighbors[0].peer-as: is missing",
                        "l4lb.toml:28: services[0].port: expected a number or \"any\", found the string \"eighty\"",
                        "l4lb.toml:31: services[0].table-size: 65536 is not a prime; the nearest is 65537",
                        "l4lb.toml:33: services[0].quorum: \"0%\" is not a quorum; use a number of reals, or \"1%\" to \"100%\"",
                        "l4lb.toml:40: services[0].health-check.rise: 0 is out of range; use 1 to 1000",
                        "l4lb.toml:41: services[0].health-check.interval: is already set in line 38",
                        "l4lb.toml:49: services[0].reals[1].address: 10.0.1.1 is an address of this service (line 45) already",
                        "l4lb.toml:50: services[0].reals[1].weight: -1 is out of range; use 0 to 65535",
                        "services.d/a.toml:1: services[0].vips: is missing",
                        "services.d/a.toml:1: services[0].protocol: is missing",
                        "services.d/a.toml:1: services[0].port: is missing",
                        "services.d/a.toml:1: services[0].reals: is missing",
                        "services.d/a.toml:2: services[0].name: expected a string, found the number 1",
                        "services.d/b.toml:1: syntax error: the brackets around a name do not match"),
                files.problems(result));
    }
}
