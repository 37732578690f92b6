// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.Balancing;
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
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.healthcheck.Timing;
import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Small configurations for tests. */
public final class Samples {
    public static final InetAddress VIP4 = ip("192.0.2.10");
    public static final InetAddress VIP6 = ip("2001:db8::10");
    public static final InetAddress ONE = ip("10.0.1.1");
    public static final InetAddress TWO = ip("10.0.1.2");
    public static final InetAddress THREE = ip("10.0.1.3");

    private Samples() {}

    /** TCP on port 80 of both VIPs, 251 slots, with a quorum of 1. */
    public static Service web(Real... reals) {
        return web("web", 80, List.of(VIP4, VIP6), new Quorum(1, false), reals);
    }

    public static Service web(String name, int port, List<InetAddress> vips, Quorum quorum, Real... reals) {
        Balancing balancing = new Balancing(
                new Scheduling.ByTable(Scheduler.MAGLEV, 251), HashKey.FIVE_TUPLE, Optional.empty(), Forwarding.IPIP);
        return service(name, new Frontend(vips, Protocol.TCP, port), balancing, quorum, reals);
    }

    /** UDP on port 443 of the IPv4 VIP; connection IDs of 8 octets, rotation 3, with server IDs of 2. */
    public static Service quic(Real... reals) {
        Optional<ConnectionIdLayout> layout = Optional.of(new ConnectionIdLayout(8, 3, 2));
        Balancing balancing =
                new Balancing(new Scheduling.ByTable(Scheduler.MAGLEV, 251), HashKey.QUIC_CID, layout, Forwarding.IPIP);
        return service("quic", new Frontend(List.of(VIP4), Protocol.UDP, 443), balancing, new Quorum(1, false), reals);
    }

    /** On any protocol of the IPv4 VIP, by the 3-tuple, in GUE; probed on port 80. */
    public static Service rest(Real... reals) {
        Balancing balancing = new Balancing(
                new Scheduling.ByTable(Scheduler.MAGLEV, 251), HashKey.THREE_TUPLE, Optional.empty(), Forwarding.GUE);
        Frontend frontend = new Frontend(List.of(VIP4), Protocol.ANY, Frontend.ANY_PORT);
        return service("rest", frontend, balancing, new Quorum(1, false), reals);
    }

    private static Service service(String name, Frontend frontend, Balancing balancing, Quorum quorum, Real... reals) {
        return new Service(
                name,
                frontend,
                balancing,
                quorum,
                new HealthCheck(
                        new TcpCheck(),
                        new HealthCheck.Way(
                                HealthCheck.Via.TUNNEL, frontend.port() == Frontend.ANY_PORT ? 80 : frontend.port(), 0),
                        new Timing(Duration.ofSeconds(2), 2, 3),
                        Duration.ofSeconds(1)),
                Arrays.asList(reals));
    }

    public static Real real(InetAddress address, int weight) {
        return new Real(address, weight);
    }

    public static Config config(Service... services) {
        return new Config(
                new AgentSection(
                        AgentSection.Dataplane.XDP,
                        Path.of("/run/control.sock"),
                        Path.of("/run/state"),
                        Path.of("/run/services.d"),
                        Optional.empty(),
                        Optional.empty()),
                new XdpSection(
                        "eth0",
                        XdpSection.Mode.AUTO,
                        XdpSection.NextHop.GATEWAY,
                        Path.of("/sys/fs/bpf/l4lb"),
                        1500,
                        1024),
                Optional.empty(),
                Arrays.asList(services),
                Map.of(),
                true);
    }
}
