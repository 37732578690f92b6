// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB6;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The maps that go before those of services, and numbers that may be given again. */
@Tag("kernel")
final class VipsTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);
    private static final ServiceKey REST4 = new ServiceKey(WEB4.vip(), Protocol.ANY, ServiceKey.ANY_PORT);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private Map<InetAddress, VipValue> vips() {
        Map<InetAddress, VipValue> vips = new HashMap<>();
        try (BpfMap map = BpfMap.openPinned(lab.pin("vips")).orElseThrow()) {
            for (byte[] key : map.keys()) {
                vips.put(
                        MappedAddress.get(ByteBuffer.wrap(key)),
                        VipValue.decode(map.lookup(ByteBuffer.wrap(key)).orElseThrow()));
            }
        }
        return vips;
    }

    private VipFilter filter() {
        try (BpfMap map = BpfMap.openPinned(lab.pin("vip_filter")).orElseThrow()) {
            return VipFilter.decode(map.lookup(Word.encode(0)).orElseThrow());
        }
    }

    private void assertVips(Map<InetAddress, List<Protocol>> expected) {
        Map<InetAddress, VipValue> values = new HashMap<>();
        expected.forEach((vip, protocols) -> values.put(vip, VipValue.of(protocols)));
        assertEquals(values, vips());
        assertEquals(VipFilter.of(expected.keySet()), filter());
    }

    @Test
    void theyFollowTheServices() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            List<Protocol> tcp = List.of(Protocol.TCP);
            assertVips(Map.of(WEB4.vip(), tcp, WEB6.vip(), tcp));
            program(Set.of(DNS4), Map.of(ONE, 1)).installOn(dataplane);
            assertVips(Map.of(WEB4.vip(), List.of(Protocol.TCP, Protocol.UDP), WEB6.vip(), tcp));
            program(Set.of(REST4), Map.of(ONE, 1)).installOn(dataplane);
            assertVips(Map.of(WEB4.vip(), List.of(Protocol.ANY), WEB6.vip(), tcp));
            dataplane.remove(Set.of(REST4, WEB6));
            assertVips(Map.of(WEB4.vip(), List.of(Protocol.TCP, Protocol.UDP)));
            dataplane.remove(Set.of(WEB4, DNS4));
            assertVips(Map.of());
        }
    }

    /** As after a version that had none, and as after somebody's hand. */
    @Test
    void whatIsMissingIsMadeUpBeforeAPacketMissesIt() throws IOException {
        lab.openWith(web(), REALS).close();
        Files.delete(lab.pin("vips"));
        Files.delete(lab.pin("vip_filter"));
        try (XdpDataplane second = lab.open()) {
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
            try (BpfMap vips = BpfMap.openPinned(lab.pin("vips")).orElseThrow();
                    BpfMap filter = BpfMap.openPinned(lab.pin("vip_filter")).orElseThrow()) {
                vips.keys().forEach(key -> vips.delete(ByteBuffer.wrap(key)));
                filter.update(Word.encode(0), VipFilter.of(Set.of(ONE)).encode(), UpdateMode.ANY);
            }
            assertEquals(Optional.empty(), FLOW.trySend());
            assertTrue(web().doneBy(second.observe()));
            assertEquals(FLOW.realIn(web().table()), FLOW.send().real());
            assertEquals(VipFilter.of(Set.of(WEB4.vip(), WEB6.vip())), filter());
        }
    }

    private int idOf(ServiceKey key) {
        try (BpfMap services = BpfMap.openPinned(lab.pin("services")).orElseThrow()) {
            return ServiceValue.decode(services.lookup(KeyLayout.encode(key)).orElseThrow())
                    .id();
        }
    }

    /** What is remembered of flows has the id in the place of the VIP. */
    @Test
    void anIdIsNotGivenToAnotherServiceWhileThereAreFreshOnes() {
        try (XdpDataplane dataplane = lab.openWith(program(Set.of(WEB4), Map.of(ONE, 1)), REALS)) {
            int id = idOf(WEB4);
            dataplane.remove(Set.of(WEB4));
            program(Set.of(WEB6), Map.of(ONE, 1)).installOn(dataplane);
            assertNotEquals(id, idOf(WEB6));
        }
    }

    @Test
    void flowsAndFragmentsNameReals() {
        lab.open().close();
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow();
                BpfMap fragments = BpfMap.openPinned(lab.pin("fragments")).orElseThrow()) {
            flows.update(
                    FlowName.of(3, FLOW.key()).encode(),
                    new FlowValue(70, 1, 2, FlowValue.State.OPENING).encode(),
                    UpdateMode.ANY);
            ByteBuffer fragment = ByteBuffer.allocate(fragments.valueSize());
            Word.encode(71).get(fragment.array(), 0, Integer.BYTES);
            fragments.update(ByteBuffer.allocate(fragments.keySize()), fragment, UpdateMode.ANY);
            assertEquals(Set.of(70, 71), new Flows(flows, fragments).named());
        }
    }
}
