// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import java.nio.ByteBuffer;
import java.util.HashMap;
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

/** A dataplane that is closed goes on forwarding, and the next one takes it over. */
@Tag("kernel")
final class AdoptionTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    private static final ProbePath ONE_BY_IPIP = new ProbePath(ONE, Forwarding.IPIP);
    private static final ProbePath TWO_BY_GUE = new ProbePath(TWO, Forwarding.GUE);
    private static final ProbePath SIX_BY_IPIP = new ProbePath(SIX, Forwarding.IPIP);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private List<Integer> linkIds() {
        return DirectorLab.linked().stream().map(this::linkId).toList();
    }

    private int linkId(String program) {
        try (Link link = Link.openPinned(lab.pin("link_" + program + "_d0")).orElseThrow()) {
            return link.id();
        }
    }

    private static int attachedProgram() {
        return Links.attachedXdp(DirectorLab.index()).orElseThrow().programId();
    }

    @Test
    void takesOverWhatIsThere() {
        List<ClientFlow> flows = Stream.generate(new Random(3)::nextInt)
                .limit(100)
                .map(seed -> ClientFlow.random(new Random(seed), WEB4))
                .toList();
        Map<ServiceKey, ObservedService> before;
        try (XdpDataplane first = lab.openWith(web(), REALS)) {
            assertFalse(first.info().adopted());
            assertEquals("native", first.info().mode());
            assertEquals(List.of(), first.info().notes());
            before = first.observe();
            flows.forEach(ClientFlow::send);
        }
        List<Integer> links = linkIds();
        int program = attachedProgram();
        flows.forEach(
                flow -> assertEquals(flow.realIn(web().table()), flow.send().real()));
        try (XdpDataplane second = lab.open()) {
            assertTrue(second.info().adopted());
            assertEquals(List.of(), second.info().notes());
            assertEquals(links, linkIds());
            assertNotEquals(program, attachedProgram());
            assertEquals(before, second.observe());
            assertTrue(web().doneBy(second.observe()));
            flows.forEach(flow -> assertEquals(Optional.of(flow.realIn(web().table())), second.remembered(flow.key())));
            flows.forEach(
                    flow -> assertEquals(flow.realIn(web().table()), flow.send().real()));
            assertEquals(200, second.verdicts().get("forward-flow"));
            assertEquals(100, second.verdicts().get("forward-table"));
        }
    }

    @Test
    void servicesAreKnownBeforeAnybodyLooks() {
        Programs dns = program(Set.of(DNS4), Map.of(SIX, 1));
        lab.openWith(web(), REALS).close();
        try (XdpDataplane second = lab.open()) {
            dns.installOn(second);
            assertTrue(dns.doneBy(second.observe()));
            assertEquals(3, second.observe().size());
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
        }
    }

    @Test
    void probesEndAsTheyWereLastSet() {
        try (XdpDataplane first = lab.open()) {
            first.probes(Map.of(0x4c340000, ONE_BY_IPIP, 0x4c340001, TWO_BY_GUE));
            first.follow(REALS, Set.of());
            assertEquals(Map.of(0x4c340000, ONE_BY_IPIP, 0x4c340001, TWO_BY_GUE), probes());
        }
        try (XdpDataplane second = lab.open()) {
            second.probes(Map.of(0x4c340001, SIX_BY_IPIP, 0x4c340002, ONE_BY_IPIP));
            assertEquals(Map.of(0x4c340001, SIX_BY_IPIP, 0x4c340002, ONE_BY_IPIP), probes());
            second.follow(REALS, Set.of());
            second.probes(Map.of());
            assertEquals(Map.of(), probes());
        }
    }

    /** Way by mark, from the map; each has both of the director's addresses for its outer source. */
    private Map<Integer, ProbePath> probes() {
        Map<Integer, ProbePath> probes = new HashMap<>();
        try (BpfMap map = BpfMap.openPinned(lab.pin("probes")).orElseThrow()) {
            for (byte[] key : map.keys()) {
                ProbeTargetValue target =
                        ProbeTargetValue.decode(map.lookup(ByteBuffer.wrap(key)).orElseThrow());
                probes.put(Word.decode(ByteBuffer.wrap(key)), target.path());
                assertEquals(Optional.of(ip("10.2.0.2")), target.source4());
                assertEquals(Optional.of(ip("fd00:2::2")), target.source6());
            }
        }
        return probes;
    }

    @Test
    void gatewayIsKeptThoughItIsUnknownAtTheSecondStart() {
        lab.openWith(web(), REALS).close();
        lab.loseGateway();
        assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
        try (XdpDataplane second = lab.open()) {
            assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
            assertEquals(Map.of(), second.follow(REALS, Set.of()));
            assertEquals(DirectorLab.GATEWAY_MAC, FLOW.send().gateway());
        }
    }

    @Test
    void anotherModeKeepsTheAttachment() {
        lab.open().close();
        XdpSection generic = new XdpSection(
                "d0", XdpSection.Mode.GENERIC, XdpSection.NextHop.GATEWAY, lab.pinDirectory(), 1500, DirectorLab.FLOWS);
        try (XdpDataplane second = XdpDataplane.open(generic, Samples.SEED)) {
            assertEquals("native", second.info().mode());
            assertTrue(second.info().notes().get(0).startsWith("XDP mode stays native"));
        }
    }

    @Test
    void interfaceThatWasMadeAnewIsAttachedAnew() {
        lab.openWith(web(), REALS).close();
        FLOW.send();
        lab.director("link del d0");
        lab.connect();
        assertTrue(Links.attachedXdp(DirectorLab.index()).isEmpty());
        try (XdpDataplane second = lab.open()) {
            assertFalse(second.info().adopted());
            assertTrue(web().doneBy(second.observe()));
            assertEquals(Map.of(), second.follow(REALS, Set.of()));
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
        }
        FLOW.send();
        try (XdpDataplane third = lab.open()) {
            assertTrue(third.info().adopted());
            assertEquals(2, third.verdicts().get("forward-flow"));
        }
    }

    @Test
    void nothingIsLeaked() {
        lab.openWith(web(), REALS).close();
        long bpf = Descriptors.ofBpf();
        long sockets = Descriptors.ofSocketsAndEvents();
        for (int i = 0; i < 50; i++) {
            try (XdpDataplane next = lab.open()) {
                next.observe();
                program(Set.of(WEB4), Map.of(i % 2 == 0 ? ONE : SIX, 1)).installOn(next);
                next.probes(Map.of(0x4c340000, ONE_BY_IPIP));
                next.verdicts();
            }
        }
        assertEquals(bpf, Descriptors.ofBpf());
        assertEquals(sockets, Descriptors.ofSocketsAndEvents());
    }
}
