// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB6;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** All flows of a client to a service with the 3-tuple go to one real, and are remembered as one. */
@Tag("kernel")
final class ThreeTupleTest {
    private static final PacketKey THREE_TUPLE = new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of());

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private List<FlowName> rememberedFlows() {
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow()) {
            return flows.keys().stream().map(FlowName::decode).toList();
        }
    }

    private static InetAddress realByThreeTuple(ClientFlow flow, Programs program) {
        long hash = flow.key().threeTuple().hash(Samples.SEED);
        return ip(program.table().realOf(hash).orElseThrow());
    }

    @Test
    void portsDoNotMatter() {
        Programs web = web().with(THREE_TUPLE);
        Random random = new Random(30);
        try (XdpDataplane dataplane = lab.openWith(web, REALS)) {
            for (int i = 0; i < 100; i++) {
                ClientFlow flow = ClientFlow.random(random, i % 2 == 0 ? WEB4 : WEB6);
                InetAddress real = realByThreeTuple(flow, web);
                assertEquals(Optional.empty(), dataplane.remembered(flow.key()));
                for (int port : new int[] {1, flow.port(), 65535}) {
                    ClientFlow other = new ClientFlow(flow.source(), port, flow.service());
                    assertEquals(real, other.send().real());
                    assertEquals(Optional.of(real), dataplane.remembered(other.key()));
                }
            }
            assertEquals(100, dataplane.verdicts().get("forward-table"));
            assertEquals(200, dataplane.verdicts().get("forward-flow"));
        }
        assertEquals(100, rememberedFlows().size());
        rememberedFlows().forEach(flow -> assertEquals(0, flow.sourcePort() | flow.vipPort()));
    }

    @Test
    void aSynMovesTheClient() {
        ClientFlow first = new ClientFlow("198.51.100.7", 40000, WEB4);
        ClientFlow second = new ClientFlow("198.51.100.7", 40001, WEB4);
        try (XdpDataplane dataplane =
                lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)).with(THREE_TUPLE), REALS)) {
            assertEquals(ONE, first.open().real());
            program(Set.of(WEB4), Map.of(ONE, 0, TWO, 1)).with(THREE_TUPLE).installOn(dataplane);
            assertEquals(ONE, second.send().real());
            assertEquals(TWO, second.open().real());
            assertEquals(TWO, first.send().real());
        }
    }

    /** Flows that were remembered by one key are not found by the other; the table is one and the same. */
    @Test
    void theKeyOfAServiceCanBeChanged() {
        Programs five = web();
        Programs three = web().with(THREE_TUPLE);
        Random random = new Random(31);
        List<ClientFlow> flows =
                Stream.generate(() -> ClientFlow.random(random, WEB4)).limit(50).toList();
        try (XdpDataplane dataplane = lab.openWith(five, REALS)) {
            flows.forEach(
                    flow -> assertEquals(flow.realIn(five.table()), flow.send().real()));
            three.installOn(dataplane);
            flows.forEach(flow ->
                    assertEquals(realByThreeTuple(flow, three), flow.send().real()));
            five.installOn(dataplane);
            flows.forEach(
                    flow -> assertEquals(flow.realIn(five.table()), flow.send().real()));
            assertEquals(50, dataplane.verdicts().get("forward-flow"));
        }
    }
}
