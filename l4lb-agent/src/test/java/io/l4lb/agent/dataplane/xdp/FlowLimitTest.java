// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.Event;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.Cpus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is not remembered goes by the lookup table: nothing is lost in a flood, or when the flow table is full. */
@Tag("kernel")
final class FlowLimitTest {
    private static final int LIMIT = 5;
    private static final int FLOWS = 500;

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private static List<ClientFlow> flows() {
        Random random = new Random(21);
        List<ClientFlow> flows = new ArrayList<>();
        for (int i = 0; i < FLOWS; i++) {
            flows.add(ClientFlow.random(random, WEB4));
        }
        return flows;
    }

    /** So many new flows in a tick on each CPU, and so many entries. */
    private XdpDataplane open(Programs programs, int newFlows, int entries) {
        AttachmentPlan plan = lab.plan("d0");
        Constants before = Constants.decode(plan.constants());
        Constants constants = new Constants(
                before.features(),
                before.source4Bits(),
                before.source6Bits(),
                newFlows,
                before.timeouts(),
                before.jiffies());
        AttachmentPlan.FlowTable table = new AttachmentPlan.FlowTable(entries, false, true, Samples.SEED);
        XdpDataplane dataplane = lab.open(new AttachmentPlan(
                plan.interfaces(), plan.mode(), plan.pinDir(), table, plan.chain(), constants.encode()));
        programs.installOn(dataplane);
        dataplane.follow(REALS, Set.of());
        return dataplane;
    }

    private static long count(XdpDataplane dataplane, Event event) {
        return dataplane.statistics().events().getOrDefault(event, 0L);
    }

    private static long remembered(XdpDataplane dataplane, List<ClientFlow> flows) {
        return flows.stream()
                .filter(flow -> dataplane.remembered(flow.key()).isPresent())
                .count();
    }

    @Test
    void aboveTheLimitNewFlowsAreForwardedButNotRemembered() {
        Programs web = web();
        List<ClientFlow> flows = flows();
        try (XdpDataplane dataplane = open(web, LIMIT, DirectorLab.FLOWS)) {
            int from = Ticks.at(System.nanoTime());
            flows.forEach(
                    flow -> assertEquals(flow.realIn(web.table()), flow.open().real()));
            int ticks = Ticks.at(System.nanoTime()) - from + 1;
            long remembered = remembered(dataplane, flows);
            assertEquals(remembered, count(dataplane, Event.FLOW_ADDED));
            assertEquals(FLOWS - remembered, count(dataplane, Event.FLOW_OVER_LIMIT));
            assertTrue(remembered >= LIMIT, remembered + " flows are remembered");
            assertTrue(remembered <= (long) LIMIT * Cpus.possible() * ticks, remembered + " in " + ticks + " ticks");
            assertEquals(FLOWS, dataplane.verdicts().get("forward-table"));
            // Established packets of the flows that are not remembered find the same real.
            flows.forEach(
                    flow -> assertEquals(flow.realIn(web.table()), flow.send().real()));
        }
    }

    @Test
    void aFullTableForgetsAndLosesNothing() {
        Programs web = web();
        List<ClientFlow> flows = flows();
        int entries = 64;
        try (XdpDataplane dataplane = open(web, 0, entries)) {
            for (int round = 0; round < 3; round++) {
                flows.forEach(flow ->
                        assertEquals(flow.realIn(web.table()), flow.send().real()));
            }
            long remembered = remembered(dataplane, flows);
            assertTrue(remembered > 0 && remembered <= entries + Cpus.possible(), remembered + " flows are remembered");
            Map<String, Long> verdicts = dataplane.verdicts();
            assertEquals(
                    3L * FLOWS, verdicts.getOrDefault("forward-table", 0L) + verdicts.getOrDefault("forward-flow", 0L));
        }
    }
}
