// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB6;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.test.Frame;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What packets leave behind can be read. */
@Tag("kernel")
final class ObservingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private static List<RememberedFlow> flows(XdpDataplane dataplane) {
        List<RememberedFlow> flows = new ArrayList<>();
        try (FlowTable table = dataplane.flowTable()) {
            assertEquals(DirectorLab.FLOWS, table.capacity());
            table.read(flows::add);
        }
        return flows;
    }

    private static FlowTable.Fill fill(XdpDataplane dataplane) {
        try (FlowTable table = dataplane.flowTable()) {
            return table.fill();
        }
    }

    @Test
    void everyFlowIsInTheTable() {
        Random random = new Random(4);
        Map<ClientFlow, RememberedFlow> expected = new HashMap<>();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            for (int i = 0; i < 9000; i++) {
                ClientFlow flow = ClientFlow.random(random, i % 2 == 0 ? WEB4 : WEB6);
                ClientFlow.Sent sent = i % 3 == 0 ? flow.open() : flow.send();
                State state = i % 3 == 0 ? State.OPENING : State.ESTABLISHED;
                RememberedFlow.Client client = new RememberedFlow.Client(ip(flow.source()), flow.port());
                expected.put(
                        flow,
                        new RememberedFlow(
                                flow.service(),
                                client,
                                new RememberedFlow.VipEnd(6, 80),
                                sent.real(),
                                state,
                                Optional.empty(),
                                true));
            }
            Map<RememberedFlow.Client, RememberedFlow> found = new HashMap<>();
            for (RememberedFlow flow : flows(dataplane)) {
                assertTrue(flow.idle().map(Duration::toSeconds).orElse(0L) < 600, flow::toString);
                found.put(
                        flow.client(),
                        new RememberedFlow(
                                flow.service(),
                                flow.client(),
                                flow.vip(),
                                flow.real(),
                                flow.state(),
                                Optional.empty(),
                                flow.counts()));
            }
            assertEquals(expected.size(), found.size());
            expected.values().forEach(flow -> assertEquals(flow, found.get(flow.client())));
            assertEquals(new FlowTable.Fill(expected.size(), expected.size()), fill(dataplane));
        }
    }

    @Test
    void flowsOfRemovedRealsAndServicesDoNotCount() {
        Random random = new Random(5);
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4, WEB6), Map.of(ONE, 1)), REALS)) {
            ClientFlow.random(random, WEB4).send();
            ClientFlow.random(random, WEB6).send();
            program(Set.of(WEB4), Map.of(TWO, 1)).installOn(dataplane);
            dataplane.remove(Set.of(WEB6));
            List<RememberedFlow> flows = flows(dataplane);
            assertEquals(1, flows.size());
            assertEquals(ONE, flows.get(0).real());
            assertFalse(flows.get(0).counts());
            assertEquals(new FlowTable.Fill(2, 0), fill(dataplane));
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Reading(2, 1), table.read(flow -> true));
            }
        }
    }

    @Test
    void theClientsFinIsSeen() {
        ClientFlow flow = ClientFlow.random(new Random(6), WEB4);
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            flow.send();
            byte[] fin = Frame.tcp(flow.source(), flow.port(), "192.0.2.10", 80)
                    .flags(Frame.ACK | 1)
                    .bytes();
            ClientFlow.sent(DirectorLab.run(fin));
            assertEquals(
                    List.of(State.CLOSING),
                    flows(dataplane).stream().map(RememberedFlow::state).toList());
        }
    }

    @Test
    void countsWhatIsNotForwardedByService() {
        ClientFlow flow = ClientFlow.random(new Random(7), WEB4);
        byte[] old = Frame.tcp("198.51.100.7", 4000, "192.0.2.10", 80).ttl(1).bytes();
        byte[] query = Frame.udp("198.51.100.7", 4000, "192.0.2.10", 53).bytes();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            program(Set.of(DNS4), Map.of()).installOn(dataplane);
            flow.send();
            for (int i = 0; i < 3; i++) {
                DirectorLab.run(old);
                DirectorLab.run(query);
            }
            Statistics statistics = dataplane.statistics();
            assertEquals(
                    Map.of(
                            WEB4, Map.of("drop-ttl", new Counter(3, 3L * old.length)),
                            DNS4, Map.of("drop-no-real", new Counter(3, 3L * query.length))),
                    statistics.notForwarded());
            assertEquals(new Counter(3, 3L * old.length), statistics.verdicts().get("drop-ttl"));
            assertTrue(statistics.events().getOrDefault(Event.FLOW_ADDED, 0L) >= 1, statistics::toString);

            dataplane.remove(Set.of(DNS4));
            program(Set.of(DNS4), Map.of()).installOn(dataplane);
            assertEquals(Set.of(WEB4), dataplane.statistics().notForwarded().keySet());
        }
    }

    @Test
    void packetsAreCopiedBeforeAndAfter() {
        ClientFlow flow = ClientFlow.random(new Random(8), WEB4);
        byte[] frame = Frame.tcp(flow.source(), flow.port(), "192.0.2.10", 80)
                .payload(700)
                .bytes();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS);
                Captures captures = dataplane.captures()) {
            DirectorLab.run(frame);
            dataplane.sample(1);
            TestRun sent = DirectorLab.run(frame);
            dataplane.sample(0);
            DirectorLab.run(frame);

            List<CapturedPacket> copies = copiesOf(captures, 2);
            CapturedPacket before = copies.get(0);
            CapturedPacket after = copies.get(1);
            assertEquals(before.packet(), after.packet());
            assertEquals(List.of(Stage.BEFORE, Stage.AFTER), List.of(before.stage(), after.stage()));
            assertEquals(List.of("", "forward-flow"), List.of(before.verdict(), after.verdict()));
            assertArrayEquals(frame, before.frame().bytes());
            assertArrayEquals(sent.packet(), after.frame().bytes());
            assertEquals(frame.length, before.frame().length());
            assertEquals(frame.length + 20, after.frame().length());
            assertTrue(after.time() >= before.time() && after.time() <= System.nanoTime(), after::toString);
            assertEquals(0, captures.lost());
        }
    }

    /** Without those of the kernels on the link, who speak of themselves. */
    private static List<CapturedPacket> copiesOf(Captures captures, int count) {
        List<CapturedPacket> copies = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (copies.size() < count && System.nanoTime() < deadline) {
            captures.poll(Duration.ofMillis(50), packet -> {
                if (packet.frame().length() > 700) {
                    copies.add(packet);
                }
                return true;
            });
        }
        assertEquals(count, copies.size());
        return copies;
    }

    @Test
    void whatDoesNotFitIsCounted() {
        byte[] frame = Frame.tcp("198.51.100.7", 4000, "192.0.2.10", 80).bytes();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS);
                Captures captures = dataplane.captures()) {
            dataplane.sample(1);
            for (int i = 0; i < 1200; i++) {
                DirectorLab.run(frame);
            }
            dataplane.sample(0);
            long[] taken = {0};
            captures.poll(Duration.ZERO, packet -> {
                taken[0]++;
                return true;
            });
            assertTrue(captures.lost() > 0 && captures.lost() + taken[0] >= 2400, captures.lost() + " " + taken[0]);
        }
    }

    @Test
    void anotherReaderSeesNothingOld() {
        byte[] frame =
                Frame.tcp("198.51.100.7", 4000, "192.0.2.10", 80).payload(700).bytes();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            dataplane.sample(1);
            DirectorLab.run(frame);
            dataplane.sample(0);
            try (Captures captures = dataplane.captures()) {
                captures.poll(Duration.ZERO, packet -> {
                    throw new AssertionError(packet.toString());
                });
            }
        }
    }

    @Test
    void copyingEndsWithTheAgent() {
        byte[] frame =
                Frame.tcp("198.51.100.7", 4000, "192.0.2.10", 80).payload(700).bytes();
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            dataplane.sample(1);
        }
        try (XdpDataplane dataplane = lab.open();
                Captures captures = dataplane.captures()) {
            DirectorLab.run(frame);
            captures.poll(Duration.ZERO, packet -> {
                throw new AssertionError(packet.toString());
            });
        }
    }

    /** One that was killed has left it on. */
    @Test
    void copyingEndsWithTheNextAgent() {
        byte[] frame =
                Frame.tcp("198.51.100.7", 4000, "192.0.2.10", 80).payload(700).bytes();
        lab.open().close();
        try (BpfMap settings = BpfMap.openPinned(lab.pin("settings")).orElseThrow()) {
            ByteBuffer value = settings.lookup(Word.encode(0)).orElseThrow().putInt(Settings.CAPTURE, 1);
            settings.update(Word.encode(0), value, UpdateMode.ANY);
        }
        try (XdpDataplane dataplane = lab.open();
                Captures captures = dataplane.captures()) {
            DirectorLab.run(frame);
            captures.poll(Duration.ZERO, packet -> {
                throw new AssertionError(packet.toString());
            });
        }
    }
}
