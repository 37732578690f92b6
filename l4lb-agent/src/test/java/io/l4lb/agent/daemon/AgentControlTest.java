// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.quic;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.KeyLines;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ipvs.IpvsTables;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.healthcheck.check.HttpCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentControlTest {
    private static final Config CONFIG = config(web(real(ONE, 100), real(TWO, 100)));
    private static final InetSocketAddress CLIENT = new InetSocketAddress(ip("198.51.100.7"), 40000);

    @TempDir
    private Path directory = Path.of("");

    @Test
    void statusTellsOfEveryRealAndItsChecks() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            assertEquals("running", agent.status().state());
            assertEquals(List.of("a note"), agent.status().problems());
            ServiceView web = agent.status().services().get(0);
            assertEquals(List.of("192.0.2.10", "2001:db8::10"), web.vips());
            assertTrue(web.announced());
            assertEquals(2, web.healthy());
            RealView one = web.reals().get(0);
            assertEquals("10.0.1.1", one.address());
            assertEquals("up", one.health());
            assertEquals(100, one.effectiveWeight());
            assertEquals(2, one.checks().size());
            assertEquals(251, one.slots() + web.reals().get(1).slots());
        }
    }

    /** Not the one that is configured, which the kernel's mh has not. */
    @Test
    void theSizeOfTheTableIsTheKernels() throws Exception {
        IpvsTables kernel = new IpvsTables(new SeededTables(RunningAgent.SEED), IpvsSection.Maglev.KERNEL);
        try (RunningAgent agent = new RunningAgent(CONFIG, kernel).up()) {
            ServiceView web = agent.status().services().get(0);
            assertEquals(4093, web.tableSize());
            assertEquals(4093, web.reals().get(0).slots() + web.reals().get(1).slots());
        }
    }

    @Test
    void statusTellsOfServerIds() throws Exception {
        Real one = new Real(ONE, 100, Optional.of(ServerId.ofHex("0a0b")));
        try (RunningAgent agent = new RunningAgent(config(quic(one, real(TWO, 100)))).up()) {
            ServiceView quic = agent.status().services().get(0);
            assertEquals("quic-cid", quic.hashKey());
            assertEquals(
                    "{cid-length=8, server-id-length=2, rotation=3}",
                    quic.quic().toString());
            assertEquals(
                    List.of("0a0b", ""),
                    quic.reals().stream().map(RealView::serverId).toList());
        }
    }

    @Test
    void onlyAnHttpCheckHasAPath() throws Exception {
        Service web = CONFIG.services().get(0);
        HealthCheck tcp = web.healthCheck();
        assertEquals("tcp", tcp.check().type());
        HealthCheck http = new HealthCheck(new HttpCheck("/health"), tcp.way(), tcp.timing(), tcp.timeout());
        for (HealthCheck check : List.of(tcp, http)) {
            Service checked =
                    new Service(web.name(), web.frontend(), web.balancing(), web.quorum(), check, web.reals());
            try (RunningAgent agent = new RunningAgent(config(checked)).up()) {
                assertEquals(
                        check.equals(http) ? "/health" : null,
                        agent.status().services().get(0).healthCheck().check().get("path"));
            }
        }
    }

    @Test
    void warningsAreShownAndDoNotDegrade() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            Problem warning = new Problem(Path.of("l4lb.toml"), 7, "services[0].hash-key", "is not used");
            Config next = config(web(real(ONE, 100), real(TWO, 0)));
            agent.files = new LoadResult(Optional.of(next), List.of(), List.of(warning), KeyLines.UNKNOWN);
            ReloadView view = agent.control.reload().get(10, TimeUnit.SECONDS);
            assertEquals(List.of(), view.problems());
            agent.up();
            assertTrue(
                    agent.status().problems().contains("l4lb.toml:7: services[0].hash-key: is not used"),
                    agent.status().problems().toString());
            assertEquals("running", agent.status().state());
        }
    }

    @Test
    void statusTellsWhatTheKernelRefuses() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG)) {
            agent.kernel.refuse(new ServiceKey(VIP4, Protocol.TCP, 80), "the map is full");
            agent.up();
            assertEquals("degraded", agent.status().state());
            assertTrue(
                    agent.status().problems().contains("service web, tcp 192.0.2.10 port 80: the map is full"),
                    agent.status().problems().toString());
            assertEquals("the map is full", agent.status().services().get(0).problem());
        }
    }

    /** A service that the kernel refuses waits for the kernel, not for its reals. */
    @Test
    void aRefusedServiceDoesNotWaitForItsReals() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG)) {
            agent.kernel.refuse(ServiceKey.allOf(CONFIG.services().get(0)).get(0), "the map is full");
            agent.up();
            List<String> problems = agent.status().problems();
            assertTrue(problems.stream().anyMatch(words -> words.endsWith(": the map is full")), problems::toString);
            assertTrue(problems.stream().noneMatch(words -> words.contains("waiting")), problems::toString);
        }
    }

    private static String problemOfWeb(RunningAgent agent) {
        return agent.status().services().get(0).problem();
    }

    @Test
    void theRowOfAServiceTellsWhyNoRealMayHaveTraffic() throws Exception {
        String off = "next-hop \"fib\" needs net.ipv4.conf.in.forwarding=1 (sysctl)";
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            assertEquals("", problemOfWeb(agent));
            agent.kernel.unreachable(ONE, off);
            agent.loop.followRoutes();
            agent.up();
            assertEquals("", problemOfWeb(agent));
            agent.kernel.unreachable(TWO, off);
            agent.loop.followRoutes();
            agent.up();
            assertEquals("no real is up: " + off, problemOfWeb(agent));
            agent.kernel.unreachable(TWO, "no route to it");
            agent.loop.followRoutes();
            agent.up();
            assertEquals("no real is up", problemOfWeb(agent));
        }
    }

    @Test
    void theRowOfAServiceTellsThatItIsDrained() throws Exception {
        try (RunningAgent agent = new RunningAgent(config(web(real(ONE, 0)))).up()) {
            assertEquals("no real has a weight above 0", problemOfWeb(agent));
        }
    }

    @Test
    void aReloadAppliesBeforeItAnswers() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            agent.files = new LoadResult(Optional.of(config(web(real(ONE, 100), real(TWO, 0)))), List.of());
            ReloadView view = agent.control.reload().get(10, TimeUnit.SECONDS);
            assertEquals(new ReloadView(true, List.of(), List.of("web")), view);
            assertEquals(1, realsInTable(agent));
        }
    }

    @Test
    void aReloadThatIsRefusedChangesNothing() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            int installs = agent.kernel.installs();
            Problem problem = new Problem(Path.of("l4lb.toml"), 7, "services[0].port", "is missing");
            agent.files = new LoadResult(Optional.of(CONFIG), List.of(problem));
            ReloadView view = agent.control.reload().get(10, TimeUnit.SECONDS);
            assertEquals(new ReloadView(false, List.of("l4lb.toml:7: services[0].port: is missing"), List.of()), view);
            assertEquals(installs, agent.kernel.installs());
        }
    }

    @Test
    void aReloadOfTheAgentsOwnSettingsIsRefusedWhole() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            Config other = config(web(real(ONE, 100)));
            Config moved = new Config(
                    other.agent(), Other.xdp(other.xdp()), other.bgp(), other.services(), other.serviceFiles(), true);
            agent.files = new LoadResult(Optional.of(moved), List.of());
            ReloadView view = agent.control.reload().get(10, TimeUnit.SECONDS);
            assertEquals(
                    List.of("/etc/l4lb/l4lb.toml: xdp.mtu: a change needs a restart of the agent,"
                            + " which loses no packet"),
                    view.problems());
            assertEquals(2, realsInTable(agent));
        }
    }

    /** The file of the agent here, as if it had been at that place. */
    private LoadResult edited(String toml) {
        Path file = directory.resolve("l4lb.toml");
        try {
            Files.createDirectories(directory.resolve("services.d"));
            Files.writeString(file, toml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ConfigLoader.load(file, Optional.empty());
    }

    @Test
    void aReloadThatNeedsARestartNamesLineAndKey() throws Exception {
        String toml = """
                [agent]
                services-dir = "%s/services.d"

                [xdp]
                interfaces = ["eth0"]
                mtu = 1500
                next-hop = "gateway"
                """.formatted(directory);
        try (RunningAgent agent = new RunningAgent(edited(toml).config().orElseThrow())) {
            agent.files =
                    edited(toml.replace("1500", "1480").replace("next-hop = \"gateway\"\n", "mss-clamp = 1400\n"));
            String restart = "a change needs a restart of the agent, which loses no packet";
            assertEquals(
                    List.of(
                            "/etc/l4lb/l4lb.toml:6: xdp.mtu: " + restart,
                            "/etc/l4lb/l4lb.toml:7: xdp.mss-clamp: " + restart),
                    agent.control.reload().get(10, TimeUnit.SECONDS).problems());
            agent.files = edited(toml.replace("mtu = 1500\n", "chain = true\n") + "[bgp]\nlocal-as = 1\n"
                    + "router-id = \"10.0.0.1\"\nneighbors = [{ address = \"10.0.0.2\", peer-as = 1 }]\n");
            assertEquals(
                    List.of("/etc/l4lb/l4lb.toml:6: xdp.chain: " + restart, "/etc/l4lb/l4lb.toml:8: bgp: " + restart),
                    agent.control.reload().get(10, TimeUnit.SECONDS).problems());
            agent.files = edited(toml.replace("mtu = 1500\n", "").replace("\"gateway\"", "\"fib\""));
            assertEquals(
                    List.of("/etc/l4lb/l4lb.toml:6: xdp.next-hop: " + restart),
                    agent.control.reload().get(10, TimeUnit.SECONDS).problems());
        }
    }

    @Test
    void aReloadThatNeedsASysctlIsRefusedUnlessItWasNeededBefore() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            Config six = config(web(real(ONE, 100), real(ip("fd00::1"), 100)));
            agent.files = new LoadResult(Optional.of(six), List.of());
            agent.kernel.obstacle(false, "a switch is off");
            ReloadView view = agent.control.reload().get(10, TimeUnit.SECONDS);
            String refusal = "/etc/l4lb/l4lb.toml: xdp.next-hop: a switch is off";
            assertEquals(new ReloadView(false, List.of(refusal), List.of()), view);
            assertEquals(2, realsInTable(agent));
            agent.kernel.obstacle(false, "");
            assertTrue(agent.control.reload().get(10, TimeUnit.SECONDS).applied());
            agent.kernel.obstacle(false, "a switch is off");
            agent.files = new LoadResult(Optional.of(config(web(real(ip("fd00::1"), 100)))), List.of());
            assertTrue(agent.control.reload().get(10, TimeUnit.SECONDS).applied());
            assertTrue(agent.status().problems().contains("a switch is off"));
            assertEquals("degraded", agent.status().state());
        }
    }

    @Test
    void explainsByTheTableThatIsInstalled() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            ExplainView view = explain(agent, 80, 6);
            FlowKey flow = new FlowKey(CLIENT.getAddress(), CLIENT.getPort(), VIP4, 80, 6);
            assertEquals("%016x".formatted(flow.hash(RunningAgent.SEED)), view.hash());
            assertEquals("forward", view.verdict());
            assertEquals("web", view.service());
            assertTrue(List.of("10.0.1.1", "10.0.1.2").contains(view.real()), view.real());
            assertTrue(view.reason().endsWith(view.slot() + " of 251 names " + view.real()), view.reason());
        }
    }

    @Test
    void explainsWhatIsNotForwarded() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG)) {
            agent.loop.want(CONFIG).get(10, TimeUnit.SECONDS);
            assertEquals("pass", explain(agent, 81, 6).verdict());
            assertEquals("pass", explain(agent, 80, 17).verdict());
            assertEquals("pass", explain(agent, 80, 47).verdict());
            ExplainView nobody = explain(agent, 80, 6);
            assertEquals("drop", nobody.verdict());
            assertEquals(
                    "its slot names no real that may have traffic: " + nobody.slot() + " of 251 names nobody",
                    nobody.reason());
        }
    }

    @Test
    void anAgentThatStopsAnswersNoMore() {
        try (RunningAgent agent = new RunningAgent(CONFIG)) {
            agent.loop.close();
            ExecutionException failure = assertThrows(ExecutionException.class, () -> explain(agent, 80, 6));
            assertEquals(
                    new DataplaneException("the agent is stopping").toString(), String.valueOf(failure.getCause()));
        }
    }

    private static int realsInTable(RunningAgent agent) {
        return Objects.requireNonNull(agent.kernel.observe().get(new ServiceKey(VIP4, Protocol.TCP, 80)))
                .slots()
                .size();
    }

    private static ExplainView explain(RunningAgent agent, int port, int protocol) throws Exception {
        return agent.control
                .explain(CLIENT, new InetSocketAddress(VIP4, port), protocol, true)
                .get(10, TimeUnit.SECONDS);
    }
}
