// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.HealthView.EntryView;
import io.l4lb.agent.status.HealthView.LoadView;
import io.l4lb.agent.status.IfDownView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.agent.status.ProbeView.StepView;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.RealView.CheckView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.ServiceView.HealthCheckView;
import io.l4lb.agent.status.ServiceView.QuorumView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.agent.status.StatusView.DataplaneView;
import io.l4lb.agent.status.StatusView.NeighborView;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an agent might report. */
public final class Samples {
    public static final String START = "2026-03-01T01:59:30.123Z";

    private Samples() {}

    /** Two services, one real down by one VIP, one session down. */
    public static StatusView status() {
        NeighborView up = new NeighborView(
                "10.0.0.1", 65000, "up", "2026-03-01T02:00:00Z", "", List.of("192.0.2.10/32", "192.0.2.53/32"));
        NeighborView down = new NeighborView(
                "2001:db8:0:1::1", 4200000000L, "down", "2026-03-02T03:00:00Z", "connection refused", List.of());
        return new StatusView(
                "degraded",
                "0.1.0",
                START,
                new DataplaneView("xdp", "eth0", "native", true),
                new BgpView("running", List.of(up, down)),
                List.of("BGP session to 2001:db8:0:1::1 is down"),
                Map.of("pass: not a VIP", 12L, "forward", 123456L),
                List.of(edge(), dns()));
    }

    public static ServiceView edge() {
        CheckView good = new CheckView("192.0.2.10", "up", "status 200", 21846);
        CheckView bad = new CheckView("2001:db8::10", "down", "no answer within 1s", 0);
        RealView first = new RealView(
                "edge",
                "10.0.1.1",
                "",
                100,
                100,
                "up",
                true,
                "2 of 2 probes succeed",
                START,
                65537,
                123456,
                98765432,
                List.of(good, new CheckView("2001:db8::10", "up", "status 204", 21845)));
        RealView second = new RealView(
                "edge",
                "2001:db8:ffff:ffff:ffff:ffff:ffff:1",
                "",
                100,
                0,
                "down",
                true,
                "no answer within 1s",
                "2026-03-02T03:03:50Z",
                0,
                77,
                4928,
                List.of(good, bad));
        return new ServiceView(
                "edge",
                List.of("192.0.2.10", "2001:db8::10"),
                "tcp",
                80,
                "maglev",
                "5-tuple",
                Map.of(),
                65537,
                "ipip",
                new QuorumView("1"),
                new HealthCheckView(
                        ordered("type", "http", "path", "/health", "host", "www.example.org"),
                        "tunnel",
                        80,
                        0,
                        "2s",
                        "2s",
                        "1s",
                        2,
                        3),
                1,
                true,
                List.of("192.0.2.10", "2001:db8::10"),
                "0123456789abcdef",
                "",
                List.of(first, second));
    }

    public static ServiceView dns() {
        RealView real =
                new RealView("dns", "10.0.1.3", "", 50, 50, "up", false, "taken over", START, 251, 0, 0, List.of());
        return new ServiceView(
                "dns",
                List.of("192.0.2.53"),
                "udp",
                53,
                "maglev",
                "5-tuple",
                Map.of(),
                251,
                "ipip",
                new QuorumView("30%"),
                new HealthCheckView(Map.of("type", "tcp"), "tunnel", 53, 0, "500ms", "500ms", "500ms", 1, 1),
                1,
                false,
                List.of(),
                "fedcba9876543210",
                "table: write failed: ENOMEM",
                List.of(real));
    }

    /** A service on any protocol, probed on a port. */
    public static ServiceView vpn() {
        ServiceView dns = dns();
        return new ServiceView(
                "vpn",
                dns.vips(),
                "any",
                0,
                dns.scheduler(),
                "3-tuple",
                Map.of(),
                dns.tableSize(),
                "gue",
                dns.quorum(),
                new HealthCheckView(Map.of("type", "tcp"), "tunnel", 443, 0, "500ms", "500ms", "500ms", 1, 1),
                1,
                false,
                List.of(),
                dns.tableDigest(),
                "",
                dns.reals());
    }

    /** A service whose real has a server ID. */
    public static ServiceView quic() {
        Map<String, Integer> layout = new LinkedHashMap<>();
        layout.put("cid-length", 8);
        layout.put("server-id-length", 2);
        layout.put("rotation", 3);
        ServiceView dns = dns();
        RealView real = new RealView(
                "quic", "10.0.1.3", "0a0b", 50, 50, "up", false, "taken over", START, 251, 0, 0, List.of());
        return new ServiceView(
                "quic",
                dns.vips(),
                dns.protocol(),
                443,
                dns.scheduler(),
                "quic-cid",
                layout,
                dns.tableSize(),
                dns.forwarding(),
                dns.quorum(),
                new HealthCheckView(Map.of("type", "tcp"), "tunnel", 443, 0, "500ms", "500ms", "500ms", 1, 1),
                1,
                false,
                List.of(),
                dns.tableDigest(),
                "",
                List.of(real));
    }

    /** The service {@code dns} with its only real drained. */
    public static ServiceView drained() {
        ServiceView dns = dns();
        RealView up = dns.reals().get(0);
        RealView real = new RealView(
                up.service(),
                up.address(),
                up.serverId(),
                0,
                0,
                up.health(),
                true,
                up.reason(),
                up.since(),
                0,
                up.packets(),
                up.bytes(),
                up.checks());
        return new ServiceView(
                dns.name(),
                dns.vips(),
                dns.protocol(),
                dns.port(),
                dns.scheduler(),
                dns.hashKey(),
                dns.quic(),
                dns.tableSize(),
                dns.forwarding(),
                dns.quorum(),
                dns.healthCheck(),
                0,
                true,
                dns.vips(),
                dns.tableDigest(),
                "",
                List.of(real));
    }

    public static ExplainView explanation() {
        return new ExplainView(
                "forward",
                "edge",
                "10.0.1.1",
                4711,
                "00000000deadbeef",
                "02:00:00:00:02:01",
                "slot of the lookup table",
                "forward-table",
                "5-tuple",
                "tcp 10.1.0.2:1234 > 192.0.2.10:80",
                new IfDownView("10.0.1.2", "slot of the lookup table", 32800, 32, 65537));
    }

    /** A packet of nobody. */
    public static ExplainView passed() {
        return new ExplainView("pass", "", "", -1, "", "", "it is not IP", "pass-not-ip", "", "", null);
    }

    /** As it comes out of the socket. */
    public static JsonNode tree(Object value) {
        try {
            return Json.parse(new String(Json.bytes(value), StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One that is up with a load, one that flaps, one that an earlier agent left. */
    public static List<HealthView> health() {
        return List.of(
                new HealthView(
                        "edge",
                        "192.0.2.10",
                        "10.0.1.1",
                        "up",
                        false,
                        "2026-01-01T03:00:00Z",
                        "",
                        0,
                        "2026-01-01T03:04:09Z",
                        1.25,
                        120,
                        "HTTP 200",
                        "certificate expires in 5 days",
                        new LoadView("0.75", "2026-01-01T03:04:09Z", ""),
                        List.of(
                                new EntryView(
                                        "2026-01-01T02:59:50Z",
                                        "2026-01-01T02:59:54Z",
                                        3,
                                        "failure",
                                        "HTTP 503",
                                        "down"),
                                new EntryView(
                                        "2026-01-01T03:00:00Z",
                                        "2026-01-01T03:04:09Z",
                                        120,
                                        "success",
                                        "HTTP 200",
                                        "up"))),
                new HealthView(
                        "edge",
                        "192.0.2.10",
                        "10.0.1.2",
                        "down",
                        false,
                        "2026-01-01T03:04:00Z",
                        "2026-01-01T03:04:40Z",
                        3,
                        "2026-01-01T03:04:08Z",
                        0.5,
                        2,
                        "HTTP 200",
                        "",
                        new LoadView("", "2026-01-01T03:04:08Z", "no header x-load"),
                        List.of()),
                new HealthView(
                        "edge",
                        "192.0.2.10",
                        "10.0.1.3",
                        "up",
                        true,
                        "2026-01-01T02:00:00Z",
                        "",
                        0,
                        "",
                        0,
                        0,
                        "HTTP 200",
                        "",
                        new LoadView("", "", ""),
                        List.of()));
    }

    /** One of each outcome but success, whose answers are not to be trusted. */
    public static List<ProbeView> probes() {
        return List.of(
                new ProbeView(
                        "edge",
                        "192.0.2.10",
                        "10.0.1.1",
                        "192.0.2.10 port 80",
                        "success",
                        "HTTP 200",
                        1.25,
                        "certificate expires in 5 days",
                        "0.75",
                        List.of(
                                new StepView(0.125, "SYN sent through tunnel to 10.0.1.1"),
                                new StepView(0.5, "connected"))),
                new ProbeView(
                        "edge",
                        "192.0.2.10",
                        "10.0.1.2",
                        "192.0.2.10 port 80",
                        "failure",
                        "body \u001b[2J",
                        3,
                        "",
                        "",
                        List.of()));
    }

    private static Map<String, String> ordered(String... keysAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }
}
