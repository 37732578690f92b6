// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Prefix;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.agent.model.XdpSection.Forgetting;
import io.l4lb.agent.model.XdpSection.OnUpgrade;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The features of the XDP dataplane, and services on any port or protocol. */
class XdpReaderTest {
    /** None has its default. */
    static final String EVERY_KEY = ConfigFiles.SMALL.replace("[\"eth0\"]", "[\"eth0\", \"bond0.7\"]") + """
            mode = "native"
            next-hop = "fib"
            pin-dir = "/sys/fs/bpf/other"
            mtu = 9000
            flow-table-size = 4096
            flow-table = "shared"
            flow-table-on-upgrade = "drop"
            new-flow-limit = 0
            tcp-opening-timeout = "5s"
            tcp-timeout = "2h"
            tcp-closing-timeout = "10s"
            udp-timeout = "3m"
            fragment-timeout = "1s"
            echo-replies = false
            too-big-answers = false
            mss-clamp = 1400
            tunnel-source4 = "10.0.0.16/28"
            tunnel-source6 = "fd00::100/120"
            chain = true
            """;

    @TempDir
    private Path directory = Path.of("");

    private Config load(String toml) {
        return new ConfigFiles(directory).writeMain(toml).loadGood();
    }

    private Service service(String rest) {
        return load(ConfigFiles.SMALL + """
                [[services]]
                name = "s"
                vips = ["192.0.2.1"]
                reals = [{ address = "10.0.1.1" }]
                """ + rest).services().get(0);
    }

    @Test
    void fillsInDefaults() {
        assertEquals(
                new XdpSection(
                        "eth0",
                        XdpSection.Mode.AUTO,
                        XdpSection.NextHop.GATEWAY,
                        Path.of("/sys/fs/bpf/l4lb"),
                        1500,
                        1 << 20),
                load(ConfigFiles.SMALL).xdp());
    }

    @Test
    void readsEveryKey() {
        XdpSection xdp = load(EVERY_KEY).xdp();
        assertEquals(
                new XdpSection.Placement(
                        List.of("eth0", "bond0.7"), XdpSection.Mode.NATIVE, true, Path.of("/sys/fs/bpf/other")),
                xdp.placement());
        assertEquals(
                new XdpSection.Tunnels(
                        XdpSection.NextHop.FIB,
                        9000,
                        Optional.of(new Prefix(AddressLiteral.any("10.0.0.16"), 28)),
                        Optional.of(new Prefix(AddressLiteral.any("fd00::100"), 120))),
                xdp.tunnels());
        assertEquals(
                new XdpSection.FlowTable(
                        4096,
                        Forgetting.SHARED,
                        OnUpgrade.DROP,
                        0,
                        new XdpSection.Timeouts(
                                Duration.ofSeconds(5),
                                Duration.ofHours(2),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(3),
                                Duration.ofSeconds(1))),
                xdp.flowTable());
        assertEquals(new XdpSection.Answers(false, false, 1400), xdp.answers());
    }

    @Test
    void takesWholePrefixesAndSingleAddresses() {
        XdpSection.Tunnels tunnels = load(ConfigFiles.SMALL
                        + "tunnel-source4 = \"10.1.0.0/16\"\ntunnel-source6 = \"fd00::1/128\"\n")
                .xdp()
                .tunnels();
        assertEquals(16, tunnels.source4().orElseThrow().hostBits());
        assertEquals(0, tunnels.source6().orElseThrow().hostBits());
    }

    @Test
    void prefixesHaveTheirFirstAddress() {
        Prefix prefix = new Prefix(AddressLiteral.any("10.0.0.16"), 28);
        assertEquals("10.0.0.16/28", prefix.toString());
        for (Map.Entry<String, Boolean> expected : Map.of(
                        "10.0.0.16", true, "10.0.0.31", true, "10.0.0.15", false, "10.0.0.32", false, "fd00::1", false)
                .entrySet()) {
            assertEquals(expected.getValue(), prefix.contains(AddressLiteral.any(expected.getKey())), expected::getKey);
        }
        assertThrows(IllegalArgumentException.class, () -> new Prefix(AddressLiteral.any("10.0.0.17"), 28));
        assertThrows(IllegalArgumentException.class, () -> new Prefix(AddressLiteral.any("10.0.0.0"), 33));
    }

    @Test
    void readsEveryProtocol() {
        for (Protocol protocol : Protocol.values()) {
            String port = protocol.hasPorts() ? "port = 7\n" : "";
            Service service = service("protocol = \"" + protocol.key() + "\"\n" + port + "health-check.port = 80\n");
            assertEquals(protocol, service.frontend().protocol());
            assertEquals(
                    protocol.hasPorts() ? 7 : Frontend.ANY_PORT,
                    service.frontend().port());
            assertEquals(80, service.healthCheck().way().port());
        }
    }

    @Test
    void readsAnyPort() {
        for (String protocol : List.of("tcp", "any", "ah")) {
            Service service = service("protocol = \"" + protocol + "\"\nport = \"any\"\nhealth-check.port = 443\n");
            assertEquals(Frontend.ANY_PORT, service.frontend().port());
        }
    }

    @Test
    void probesThePortOfTheServiceUnlessThereIsAnother() {
        assertEquals(
                80,
                service("protocol = \"tcp\"\nport = 80\n").healthCheck().way().port());
        Service other = service("protocol = \"tcp\"\nport = 80\nhealth-check.port = 8080\n");
        assertEquals(8080, other.healthCheck().way().port());
        assertEquals(80, other.frontend().port());
    }

    @Test
    void readsForwarding() {
        for (Forwarding forwarding : List.of(Forwarding.IPIP, Forwarding.GUE)) {
            String line = "protocol = \"tcp\"\nport = 80\nforwarding = \"" + forwarding.key() + "\"\n";
            assertEquals(forwarding, service(line).balancing().forwarding());
        }
    }

    /** The service of the port comes first, then any port's, then any protocol's. */
    @Test
    void servicesOnAnyPortOrProtocolMayStandBesideOthers() {
        String any = "reals = [{ address = \"10.0.1.1\" }]\nhealth-check.port = 80\n";
        Config config = load(ConfigFiles.SMALL
                + ConfigFiles.service("web", "192.0.2.1", 80)
                + "[[services]]\nname = \"tcp\"\nvips = [\"192.0.2.1\"]\nprotocol = \"tcp\"\nport = \"any\"\n" + any
                + "[[services]]\nname = \"esp\"\nvips = [\"192.0.2.1\"]\nprotocol = \"esp\"\n" + any
                + "[[services]]\nname = \"any\"\nvips = [\"192.0.2.1\"]\nprotocol = \"any\"\n" + any);
        assertEquals(List.of("web", "tcp", "esp", "any"), ConfigFiles.names(Optional.of(config)));
    }

    @Test
    void twoServicesOnTheSameAnyAreAConflict() {
        String any = "vips = [\"192.0.2.1\"]\nreals = [{ address = \"10.0.1.1\" }]\nhealth-check.port = 80\n";
        LoadResult result = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL)
                .writeServices(
                        "s.toml",
                        "[[services]]\nname = \"a\"\nprotocol = \"tcp\"\nport = \"any\"\n" + any,
                        "[[services]]\nname = \"b\"\nprotocol = \"tcp\"\nport = \"any\"\n" + any,
                        "[[services]]\nname = \"c\"\nprotocol = \"esp\"\n" + any,
                        "[[services]]\nname = \"d\"\nprotocol = \"esp\"\nport = \"any\"\n" + any,
                        "[[services]]\nname = \"e\"\nprotocol = \"any\"\n" + any,
                        "[[services]]\nname = \"f\"\nprotocol = \"any\"\nport = \"any\"\n" + any)
                .load();
        assertEquals(
                List.of(
                        "12: services[1].vips[0]: 192.0.2.1 tcp port any is served by services[0] (line 5) already",
                        "25: services[3].vips[0]: 192.0.2.1 esp is served by services[2] (line 18) already",
                        "38: services[5].vips[0]: 192.0.2.1 on any protocol is served by services[4] (line 31) already"),
                Edit.problems(result));
    }

    /** GUE takes eight bytes more, an IPv6 real twenty. */
    @Test
    void theMtuHasToSuitTheServicesOfOtherFilesToo() {
        String service = ConfigFiles.service("web", "2001:db8::1", 80);
        ConfigFiles files = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL + "mtu = 1327\n")
                .writeServices(
                        "s.toml",
                        service,
                        ConfigFiles.service("gue", "2001:db8::2", 80).replace("10.0.1.1", "fd00::1")
                                + "forwarding = \"gue\"\n",
                        ConfigFiles.service("four", "192.0.2.1", 80).replace("10.0.1.1", "fd00::1"));
        assertEquals(
                List.of(
                        "services.d/s.toml:9: services[1].vips[0]: IPv6 packets of 1280 bytes, which any client may send,"
                                + " do not fit xdp.mtu, 1327, once encapsulated; it has to be 1328 or more"),
                files.problems(files.load()));
        files.writeMain(ConfigFiles.SMALL + "mtu = 1328\n").loadGood();
    }

    @Test
    void aRealIsNoOuterSource() {
        ConfigFiles files = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL + "tunnel-source4 = \"10.0.1.0/24\"\n")
                .writeServices("s.toml", ConfigFiles.service("web", "192.0.2.1", 80));
        String main = files.main().toString();
        assertEquals(
                "10.0.1.1 is in xdp.tunnel-source4 of " + main
                        + " (line 5): it would drop what seems to come from itself",
                files.load().problems().get(0).message());
    }

    @Test
    void aVipIsNoOuterSource() {
        ConfigFiles files = new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL + "tunnel-source4 = \"192.0.2.0/28\"\n"
                        + "tunnel-source6 = \"2001:db8::/112\"\n")
                .writeServices(
                        "s.toml",
                        ConfigFiles.service("web", "192.0.2.1", 80),
                        ConfigFiles.service("other", "192.0.2.16", 80),
                        ConfigFiles.service("six", "2001:db8::1", 80));
        String main = files.main().toString();
        String why = "): what answers tunnel packets, as routers do with ICMP errors, would be taken for the service's";
        assertEquals(
                List.of(
                        "3: services[0].vips[0]: 192.0.2.1 is in xdp.tunnel-source4 of " + main + " (line 5" + why,
                        "15: services[2].vips[0]: 2001:db8::1 is in xdp.tunnel-source6 of " + main + " (line 6" + why),
                Edit.problems(files.load()));
    }
}
