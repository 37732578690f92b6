// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB6;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.test.InNamespace;
import java.net.InetAddress;
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

/** Packets follow what was installed. */
@Tag("kernel")
final class ForwardingTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private static List<ClientFlow> flows(int count) {
        Random random = new Random(20);
        List<ClientFlow> flows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            flows.add(ClientFlow.random(random, i % 2 == 0 ? WEB4 : WEB6));
        }
        return flows;
    }

    @Test
    void everyFlowGoesToTheRealOfItsSlotAndIsRemembered() {
        Programs web = web();
        Map<InetAddress, Long> packets = new HashMap<>();
        try (XdpDataplane dataplane = lab.open()) {
            web.installOn(dataplane);
            assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
            for (ClientFlow flow : flows(1000)) {
                InetAddress real = flow.realIn(web.table());
                assertEquals(Optional.empty(), dataplane.remembered(flow.key()));
                assertEquals(real, flow.send().real());
                assertEquals(Optional.of(real), dataplane.remembered(flow.key()));
                packets.merge(real, 1L, Long::sum);
            }
            for (ServiceKey key : List.of(WEB4, WEB6)) {
                Map<InetAddress, Counter> counters = dataplane.counters(key);
                assertEquals(REALS, counters.keySet());
                counters.forEach((real, counter) -> packets.merge(real, -counter.packets(), Long::sum));
                assertTrue(counters.values().stream().allMatch(counter -> counter.bytes() > 53 * counter.packets()));
            }
            assertEquals(Map.of(ONE, 0L, TWO, 0L, SIX, 0L), packets);
            assertEquals(1000, dataplane.verdicts().get("forward-table"));
        }
    }

    @Test
    void establishedFlowsStayWhileTheirRealIsActive() {
        Programs before = program(Set.of(WEB4, WEB6), Map.of(ONE, 1, TWO, 1));
        Programs drained = program(Set.of(WEB4, WEB6), Map.of(ONE, 0, TWO, 1, SIX, 1));
        Programs removed = program(Set.of(WEB4, WEB6), Map.of(TWO, 1, SIX, 1));
        List<ClientFlow> flows = flows(200);
        try (XdpDataplane dataplane = lab.openWith(before, REALS)) {
            flows.forEach(ClientFlow::send);
            drained.installOn(dataplane);
            for (ClientFlow flow : flows) {
                InetAddress real = flow.realIn(before.table());
                assertEquals(Optional.of(real), dataplane.remembered(flow.key()));
                assertEquals(real, flow.send().real());
            }
            assertEquals(200, dataplane.verdicts().get("forward-flow"));
            removed.installOn(dataplane);
            for (ClientFlow flow : flows) {
                InetAddress real = flow.realIn(before.table());
                InetAddress next = real.equals(ONE) ? flow.realIn(removed.table()) : real;
                assertEquals(real.equals(ONE) ? Optional.empty() : Optional.of(real), dataplane.remembered(flow.key()));
                assertEquals(next, flow.send().real());
                assertEquals(Optional.of(next), dataplane.remembered(flow.key()));
            }
        }
    }

    @Test
    void aNewConnectionFollowsTheNewTable() {
        Programs before = program(Set.of(WEB4, WEB6), Map.of(ONE, 1));
        Programs after = program(Set.of(WEB4, WEB6), Map.of(ONE, 0, TWO, 1));
        List<ClientFlow> flows = flows(20);
        try (XdpDataplane dataplane = lab.openWith(before, REALS)) {
            flows.forEach(flow -> assertEquals(ONE, flow.open().real()));
            after.installOn(dataplane);
            flows.forEach(flow -> assertEquals(ONE, flow.send().real()));
            flows.forEach(flow -> assertEquals(TWO, flow.open().real()));
            flows.forEach(flow -> assertEquals(TWO, flow.send().real()));
        }
    }

    @Test
    void aRealThatReturnsGetsItsFlowsBack() {
        Programs both = program(Set.of(WEB4), Map.of(ONE, 1, TWO, 1));
        List<ClientFlow> flows =
                flows(100).stream().filter(flow -> flow.service().equals(WEB4)).toList();
        try (XdpDataplane dataplane = lab.openWith(both, REALS)) {
            flows.forEach(ClientFlow::send);
            program(Set.of(WEB4), Map.of(TWO, 1)).installOn(dataplane);
            program(Set.of(WEB4), Map.of(SIX, 1)).installOn(dataplane);
            both.installOn(dataplane);
            flows.forEach(
                    flow -> assertEquals(Optional.of(flow.realIn(both.table())), dataplane.remembered(flow.key())));
        }
    }

    @Test
    void whatWasRemovedIsPassedOn() {
        ClientFlow flow = flows(1).get(0);
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            flow.send();
            dataplane.remove(Set.of(WEB4));
            assertEquals(Optional.empty(), flow.trySend());
            assertEquals(Optional.empty(), dataplane.remembered(flow.key()));
            assertEquals(Map.of(), dataplane.counters(WEB4));
            // More may have passed: the kernels on the link speak of themselves, as in neighbour discovery.
            assertTrue(dataplane.verdicts().getOrDefault("pass-no-service", 0L) >= 1);
            dataplane.verdicts().forEach((verdict, packets) -> {
                if (!verdict.startsWith("pass-")) {
                    assertEquals(verdict.equals("forward-table") ? 1 : 0, packets, verdict);
                }
            });
        }
    }

    @Test
    void withoutAnyRealPacketsAreDropped() {
        ClientFlow flow = flows(1).get(0);
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            flow.send();
            program(Set.of(WEB4, WEB6), Map.of()).installOn(dataplane);
            assertEquals(Optional.empty(), flow.trySend());
            assertEquals(1, dataplane.verdicts().get("drop-no-real"));
        }
    }
}
