// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB6;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Links;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What earlier versions pinned is taken over, replaced or refused, map by map. */
@Tag("kernel")
final class UpgradeTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);
    private static final ClientFlow FLOW6 = new ClientFlow("2001:db8:1::7", 40000, WEB6);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    private final EarlierVersion earlier = new EarlierVersion(lab);

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    /** The real that the table does not have for the flow: only a flow that is remembered goes there. */
    private static InetAddress other(ClientFlow flow) {
        return Stream.of(ONE, TWO, SIX)
                .filter(real -> !real.equals(flow.realIn(web().table())))
                .findFirst()
                .orElseThrow();
    }

    private int number(XdpDataplane dataplane, ClientFlow flow, InetAddress real) {
        assertTrue(dataplane.observe().containsKey(flow.service()));
        try (BpfMap services = BpfMap.openPinned(lab.pin("services")).orElseThrow()) {
            int id = Word.decode(
                    services.lookup(KeyLayout.encode(flow.service())).orElseThrow());
            return earlier.number(new RealValue(real, id, true, Forwarding.IPIP));
        }
    }

    /** Pins of the version before with a flow of each family, and one of a service that is gone. */
    private void pinEarlier() throws IOException {
        int number;
        int number6;
        try (XdpDataplane first = lab.openWith(web(), REALS)) {
            number = number(first, FLOW, other(FLOW));
            number6 = number(first, FLOW6, other(FLOW6));
        }
        earlier.before();
        earlier.remember(FLOW.key(), number);
        earlier.remember(FLOW6.key(), number6);
        earlier.remember(new ClientFlow("198.51.100.7", 40000, Samples.DNS4).key(), number);
    }

    private AttachmentPlan plan(boolean migrate) {
        AttachmentPlan plan = lab.plan("d0");
        AttachmentPlan.FlowTable flows = new AttachmentPlan.FlowTable(DirectorLab.FLOWS, false, migrate, Samples.SEED);
        return new AttachmentPlan(plan.interfaces(), plan.mode(), plan.pinDir(), flows, plan.chain(), plan.constants());
    }

    @Test
    void flowsOfTheVersionBeforeAreTakenOver() throws IOException {
        pinEarlier();
        lab.loseGateway();
        try (XdpDataplane second = lab.open()) {
            assertTrue(second.info().adopted());
            assertEquals(1, second.info().notes().size(), second.info().notes().toString());
            String note = second.info().notes().get(0);
            assertTrue(note.endsWith("2 of 3 flows were taken over"), note);
            assertTrue(web().doneBy(second.observe()));
            assertEquals(Optional.of(other(FLOW)), second.remembered(FLOW.key()));
            assertEquals(new ClientFlow.Sent(other(FLOW), DirectorLab.GATEWAY_MAC), FLOW.send());
            assertEquals(new ClientFlow.Sent(other(FLOW6), DirectorLab.GATEWAY_MAC), FLOW6.send());
            assertEquals(2, second.verdicts().get("forward-flow"));
            assertEntry();
        }
        try (XdpDataplane third = lab.open()) {
            assertEquals(List.of(), third.info().notes());
            assertEquals(other(FLOW), FLOW.send().real());
            assertEquals(3, third.verdicts().get("forward-flow"));
        }
    }

    /** As the program itself would have written it. */
    private void assertEntry() {
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow()) {
            for (byte[] key : flows.keys()) {
                FlowValue value =
                        FlowValue.decode(flows.lookup(ByteBuffer.wrap(key)).orElseThrow());
                ClientFlow flow = FlowName.decode(key).source().getAddress().length == 4 ? FLOW : FLOW6;
                assertEquals((int) flow.key().hash(Samples.SEED) & 0xffff, value.entropy());
                assertEquals(FlowValue.State.ESTABLISHED, value.state());
                assertTrue(Ticks.at(System.nanoTime()) - value.seen() < 120);
            }
        }
    }

    @Test
    void flowsOfTheVersionBeforeAreDroppedIfThatIsChosen() throws IOException {
        pinEarlier();
        try (XdpDataplane second = lab.open(plan(false))) {
            String note = second.info().notes().get(0);
            assertTrue(note.endsWith("its flows are forgotten, as flow-table-on-upgrade says"), note);
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
        }
    }

    @Test
    void flowsThatNobodyCanReadAreForgotten() throws IOException {
        lab.openWith(web(), REALS).close();
        Files.delete(lab.pin("flows"));
        try (BpfMap later = BpfMap.createArray("flows", 8, 16, 0)) {
            later.pin(lab.pin("flows"));
        }
        try (XdpDataplane second = lab.open()) {
            String note = second.info().notes().get(0);
            assertTrue(note.endsWith("its flows are forgotten, since this version cannot read them"), note);
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
        }
    }

    @Test
    void theVersionWithoutHashKeysIsTakenOver() throws IOException {
        lab.openWith(web(), REALS).close();
        FLOW.send();
        earlier.withoutHashKeys();
        try (XdpDataplane second = lab.open()) {
            assertTrue(second.info().notes().get(1).startsWith("the counters in verdicts start from zero"));
            assertTrue(web().doneBy(second.observe()));
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
            assertEquals(1, second.verdicts().get("forward-table"));
        }
    }

    @Test
    void anotherSizeOfTheFlowTableKeepsTheFlows() {
        lab.openWith(web(), REALS).close();
        List<ClientFlow> flows = Stream.generate(new Random(5)::nextInt)
                .limit(500)
                .map(seed -> ClientFlow.random(new Random(seed), WEB4))
                .toList();
        flows.forEach(ClientFlow::send);
        for (AttachmentPlan.FlowTable table : List.of(
                new AttachmentPlan.FlowTable(8192, true, true, Samples.SEED),
                new AttachmentPlan.FlowTable(16384, false, true, Samples.SEED))) {
            AttachmentPlan plan = lab.plan("d0");
            try (XdpDataplane next = lab.open(new AttachmentPlan(
                    plan.interfaces(), plan.mode(), plan.pinDir(), table, plan.chain(), plan.constants()))) {
                String note = next.info().notes().get(0);
                assertTrue(note.contains(table.size() + " entries, flags 0x" + table.flags() + "): 500 of 500"), note);
                next.observe();
                flows.forEach(
                        flow -> assertEquals(Optional.of(flow.realIn(web().table())), next.remembered(flow.key())));
            }
        }
    }

    /** Id of every pinned map, by its name. */
    private Map<String, Integer> ids() throws IOException {
        Map<String, Integer> ids = new TreeMap<>();
        try (Stream<Path> pins = Files.list(lab.pinDirectory())) {
            for (Path pin : pins.filter(path -> !path.getFileName().toString().startsWith("link_"))
                    .toList()) {
                try (BpfMap map = BpfMap.openPinned(pin).orElseThrow()) {
                    ids.put(pin.getFileName().toString(), map.id());
                }
            }
        }
        return ids;
    }

    @Test
    void aRefusalLeavesWhatTheVersionBeforePinned() throws IOException {
        pinEarlier();
        Files.delete(lab.pin("reals"));
        try (BpfMap other = BpfMap.createArray("reals", 4, 1, 0)) {
            other.pin(lab.pin("reals"));
        }
        assertRefused("reals is of another version of l4lb", lab.plan("d0"));
    }

    @Test
    void aFailureAfterMigrationLeavesWhatTheVersionBeforePinned() throws Exception {
        pinEarlier();
        lab.connectSecond();
        try (Occupied second = new Occupied("d1")) {
            assertRefused("interface d1: XDP program " + second.program(), lab.plan("d0", "d1"));
        }
    }

    private void assertRefused(String why, AttachmentPlan plan) throws IOException {
        Map<String, Integer> pinned = ids();
        int flows = earlier.flows();
        int attached = Links.attachedXdp(DirectorLab.index()).orElseThrow().programId();
        DataplaneException refusal = assertThrows(DataplaneException.class, () -> lab.open(plan));
        assertTrue(String.valueOf(refusal.getMessage()).contains(why), refusal.getMessage());
        assertEquals(pinned, ids());
        assertEquals(flows, earlier.flows());
        assertEquals(
                attached, Links.attachedXdp(DirectorLab.index()).orElseThrow().programId());
        assertFalse(Files.exists(lab.pin("vips")));
        FLOW.send();
    }

    @Test
    void anotherSizeAloneIsCalledThat() {
        lab.open().close();
        AttachmentPlan plan = lab.plan("d0");
        AttachmentPlan.FlowTable smaller = new AttachmentPlan.FlowTable(8192, false, true, Samples.SEED);
        try (XdpDataplane next = lab.open(new AttachmentPlan(
                plan.interfaces(), plan.mode(), plan.pinDir(), smaller, plan.chain(), plan.constants()))) {
            assertEquals(
                    List.of("the flow table has another size now, 65536 -> 8192 entries: 0 of 0 flows were taken over"),
                    next.info().notes());
        }
    }
}
