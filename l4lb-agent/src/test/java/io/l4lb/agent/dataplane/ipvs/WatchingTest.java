// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.IpvsLab.ONE;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.TWO;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.Statistics;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.test.Frame;
import io.l4lb.test.InNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of an IPVS that is played, with a file in the place of its connections. */
@Tag("kernel")
@Timeout(120)
final class WatchingTest {
    private static final ServiceKey WEB = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    private static final ServiceKey DNS = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);
    private static final ServiceKey KETAMA = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 443);
    private static final Scheduling MAGLEV = new Scheduling.ByTable(Scheduler.MAGLEV, 251);
    private static final Scheduling WLC = new Scheduling.ByKernel(KernelScheduler.WLC);

    @AutoClose
    private final IpvsLab lab = new IpvsLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private final FakeIpvs fake = new FakeIpvs();

    private static ServiceProgram program(ServiceKey key, Scheduling scheduling) {
        return new ServiceProgram(
                key,
                PacketKey.FIVE_TUPLE,
                Forwarding.IPIP,
                Optional.of(scheduling),
                scheduling instanceof Scheduling.ByTable table
                        ? Optional.of(table.scheduler()
                                .build(
                                        List.of(new WeightedReal("10.0.1.1", 1), new WeightedReal("10.0.1.2", 1)),
                                        table.size(),
                                        IpvsLab.SEED))
                        : Optional.empty(),
                List.of(new Member(ONE, 1, true), new Member(TWO, 1, true)));
    }

    private IpvsDataplane opened() {
        IpvsDataplane dataplane = lab.open(fake);
        dataplane.install(program(WEB, MAGLEV));
        dataplane.install(program(DNS, WLC));
        dataplane.install(program(KETAMA, new Scheduling.ByTable(Scheduler.KETAMA, 251)));
        return dataplane;
    }

    private void connections(String... lines) {
        try {
            for (String line : lines) {
                Files.writeString(lab.connections(), line + "\n", StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void flowsOfOurServices() {
        try (IpvsDataplane dataplane = opened()) {
            connections(
                    "TCP C6336407 9C40 C000020A 0050 0A000102 0050 ESTABLISHED     890",
                    "UDP C6336407 9C41 C000020A 0035 0A000101 0035 UDP             298",
                    "TCP C6336407 9C42 C000020A 01BB 0A000101 01BB FIN_WAIT        100",
                    // of the director itself: a probe
                    "TCP 0A000002 9C43 C000020A 0050 0A000101 0050 ESTABLISHED     890",
                    // of a service of somebody else, of a real that is gone, of a mark
                    "TCP C6336407 9C44 C000020A 0051 0A000102 0051 ESTABLISHED     890",
                    "TCP C6336407 9C45 C000020A 0050 0A000109 0050 ESTABLISHED     890",
                    "IP  C6336407 0000 4C340000 0000 0A000102 0000 NONE            295");
            List<RememberedFlow> flows = new ArrayList<>();
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Reading(6, 3), table.read(flows::add));
                assertEquals(FlowTable.NO_LIMIT, table.capacity());
            }
            assertEquals(
                    List.of(WEB, DNS, KETAMA),
                    flows.stream().map(RememberedFlow::service).toList());
            RememberedFlow first = flows.get(0);
            assertEquals(new RememberedFlow.Client(ip("198.51.100.7"), 40000), first.client());
            assertEquals(new RememberedFlow.VipEnd(6, 80), first.vip());
            assertEquals(TWO, first.real());
            assertEquals(RememberedFlow.State.ESTABLISHED, first.state());
            assertEquals(Optional.of(Duration.ofSeconds(10)), first.idle());
        }
    }

    @Test
    void aReaderMayStopAndBeginAgain() {
        try (IpvsDataplane dataplane = opened()) {
            connections(
                    "TCP C6336407 9C40 C000020A 0050 0A000102 0050 ESTABLISHED     890",
                    "TCP C6336407 9C41 C000020A 0050 0A000102 0050 ESTABLISHED     890");
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Reading(1, 0), table.read(flow -> false));
                assertEquals(new FlowTable.Reading(2, 0), table.read(flow -> true));
            }
        }
    }

    @Test
    void whatCannotBeReadIsSaid() throws Exception {
        try (IpvsDataplane dataplane = opened()) {
            connections("TCP of another kernel");
            try (FlowTable table = dataplane.flowTable()) {
                DataplaneException refused = assertThrows(DataplaneException.class, () -> table.read(flow -> true));
                assertTrue(
                        String.valueOf(refused.getMessage()).contains("\"TCP of another kernel\""),
                        refused.getMessage());
            }
            Files.delete(lab.connections());
            assertThrows(DataplaneException.class, dataplane::flowTable);
        }
    }

    @Test
    void countersOfTheKernel() {
        try (IpvsDataplane dataplane = opened()) {
            VirtualAddress web = new VirtualAddress(WEB.vip(), 6, 80);
            Statistics seen = new Statistics(3, 50, 0, 6000, 0, Statistics.Rates.ZERO);
            fake.count(web, seen);
            fake.count(web, new DestinationIdentity(TWO, 80), new Connections(2, 1, 0), seen);
            lab.now = lab.now.plusSeconds(2);
            assertEquals(Map.of(ONE, new Counter(0, 0), TWO, new Counter(50, 6000)), dataplane.counters(WEB));
            assertEquals(
                    Map.of("forward", new Counter(50, 6000), "pass-no-real", new Counter(0, 0)),
                    dataplane.statistics().verdicts());
            assertEquals(Map.of("forward", 50L, "pass-no-real", 0L), dataplane.verdicts());
            assertEquals(Map.of(Event.FLOW_ADDED, 3L), dataplane.statistics().events());
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Fill(3, 3), table.fill());
            }
        }
    }

    private static byte[] tcp(int sourcePort, int port, int flags) {
        return Frame.tcp("198.51.100.7", sourcePort, "192.0.2.10", port)
                .flags(flags)
                .bytes();
    }

    private static IpvsDecision decide(IpvsDataplane dataplane, byte[] frame) {
        return dataplane.packets(Set.of(WEB, DNS, KETAMA)).decide(frame);
    }

    @Test
    void aConnectionWins() {
        try (IpvsDataplane dataplane = opened()) {
            IpvsDecision before = decide(dataplane, tcp(40000, 80, Frame.ACK));
            assertEquals(Optional.of(WEB), before.service());
            assertTrue(before.choice().slot() >= 0);
            String other = before.choice().real().orElseThrow().equals(ONE) ? "0A000102" : "0A000101";
            connections("TCP C6336407 9C40 C000020A 0050 " + other + " 0050 TIME_WAIT     100");
            IpvsDecision with = decide(dataplane, tcp(40000, 80, Frame.ACK));
            assertEquals(Fate.FORWARD, with.fate());
            assertEquals(
                    other.equals("0A000102") ? TWO : ONE, with.choice().real().orElseThrow());
            assertTrue(
                    with.choice().reason().contains("TIME_WAIT"), with.choice().reason());
            assertEquals(
                    before.choice().real(),
                    decide(dataplane, tcp(40000, 80, Frame.SYN)).choice().real());
            assertEquals(
                    with.choice().real(), dataplane.remembered(WEB, with.flow().orElseThrow()));
        }
    }

    @Test
    void markedServicesGoByOurTable() {
        try (IpvsDataplane dataplane = opened()) {
            ServiceProgram installed = dataplane.installed(KETAMA).orElseThrow();
            for (int port = 40000; port < 40100; port++) {
                IpvsDecision decision = decide(dataplane, tcp(port, 443, Frame.SYN));
                long hash = decision.flow().orElseThrow().hash(IpvsLab.SEED);
                assertEquals(Optional.of(hash), decision.choice().hash());
                assertEquals(
                        installed.table().realOf(hash).orElseThrow(),
                        decision.choice().real().orElseThrow().getHostAddress());
            }
        }
    }

    @Test
    void whatTheKernelAloneKnows() {
        try (IpvsDataplane dataplane = opened()) {
            IpvsDecision decision = decide(
                    dataplane,
                    Frame.udp("198.51.100.7", 40000, "192.0.2.10", 53).bytes());
            assertEquals(Fate.FORWARD, decision.fate());
            assertEquals(Optional.empty(), decision.choice().real());
            assertEquals(Fate.PASS, decide(dataplane, tcp(40000, 81, Frame.SYN)).fate());
        }
    }

    @Test
    void whatALossMoves() {
        try (IpvsDataplane dataplane = opened()) {
            byte[] frame = tcp(40000, 80, Frame.SYN);
            IpvsPackets packets = dataplane.packets(Set.of(WEB, DNS, KETAMA));
            IpvsDecision decision = packets.decide(frame);
            IpvsLoss loss = packets.loss(frame, decision).orElseThrow();
            assertTrue(loss.choice().real().isPresent());
            assertTrue(!loss.choice().real().equals(decision.choice().real()));
            assertEquals(0, loss.others());
            assertEquals(4093, loss.tableSize());
            byte[] marked = tcp(40000, 443, Frame.SYN);
            assertEquals(Optional.empty(), packets.loss(marked, packets.decide(marked)));
        }
    }

    @Test
    void copiesNoPackets() {
        try (IpvsDataplane dataplane = opened()) {
            assertTrue(dataplane.captureObstacle().orElseThrow().contains("tcpdump"));
        }
    }
}
