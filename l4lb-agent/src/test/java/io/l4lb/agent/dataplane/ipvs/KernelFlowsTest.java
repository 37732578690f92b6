// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.FlowKey;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Tunnel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is said of flows that the kernel schedules. */
class KernelFlowsTest {
    private static final InetAddress VIP = ip("192.0.2.10");
    private static final List<InetAddress> REALS = List.of(ip("10.0.1.1"), ip("10.0.1.2"), ip("10.0.1.3"));
    private static final ServiceSettings MH = new ServiceSettings(
            "mh", Set.of(ServiceFlag.MH_FALLBACK, ServiceFlag.MH_PORT), Optional.empty(), Optional.empty());

    /** @param down of weight 0, which they were not once */
    private static KernelFlows flows(Protocol protocol, ServiceSettings settings, Set<InetAddress> down) {
        List<Destination> listed = new ArrayList<>();
        Map<DestinationIdentity, Integer> nominal = new HashMap<>();
        for (InetAddress real : REALS) {
            DestinationIdentity identity = new DestinationIdentity(real, 80);
            listed.add(0, new Destination(identity, DestinationSettings.of(down.contains(real) ? 0 : 1, Tunnel.IPIP)));
            nominal.put(identity, 1);
        }
        return new KernelFlows(new KernelService(new KernelService.Facts(
                new ServiceKey(VIP, protocol, 80), settings, listed, nominal, Maglev.KERNEL, true)));
    }

    private static FlowKey flow(Protocol protocol, int port) {
        return new FlowKey(ip("198.51.100.7"), port, VIP, 80, protocol.number());
    }

    private static Choice choose(KernelFlows flows, int port) {
        return flows.choose(new byte[0], flow(flows.service().key().protocol(), port));
    }

    private static InetAddress real(KernelFlows flows, int port) {
        return choose(flows, port).real().orElseThrow();
    }

    @Test
    void slotsOfADeadRealFallBack() {
        KernelFlows all = flows(Protocol.TCP, MH, Set.of());
        InetAddress lost = REALS.get(0);
        KernelFlows.Loss loss = all.without(lost).orElseThrow();
        int fallen = 0;
        for (int port = 1024; port < 2024; port++) {
            InetAddress before = real(all, port);
            Choice after = choose(loss.after(), port);
            assertFalse(after.real().orElseThrow().equals(lost));
            assertEquals(
                    real(flows(Protocol.TCP, MH, Set.of(lost)), port),
                    after.real().orElseThrow());
            assertEquals(before.equals(lost), after.reason().contains("falls back"));
            assertTrue(before.equals(lost) || before.equals(after.real().orElseThrow()));
            fallen += before.equals(lost) ? 1 : 0;
        }
        assertTrue(fallen > 100, "flows of the dead real: " + fallen);
        assertEquals(all.service().slots().get(lost), loss.moved());
        assertEquals(0, loss.others());
    }

    @Test
    void aDeadRealOfUdpLeavesTheTable() {
        KernelFlows all = flows(Protocol.UDP, MH, Set.of());
        KernelFlows.Loss loss = all.without(REALS.get(0)).orElseThrow();
        assertEquals(2, loss.after().service().listed().size());
        assertEquals(all.service().slots().getOrDefault(REALS.get(0), 0) + loss.others(), loss.moved());
        assertFalse(choose(loss.after(), 1024).reason().contains("falls back"));
    }

    @Test
    void withoutThePortOneClientHasOneReal() {
        ServiceSettings settings =
                new ServiceSettings("mh", Set.of(ServiceFlag.MH_FALLBACK), Optional.empty(), Optional.empty());
        KernelFlows flows = flows(Protocol.TCP, settings, Set.of());
        InetAddress real = real(flows, 1);
        for (int port = 2; port < 100; port++) {
            assertEquals(real, real(flows, port));
        }
    }

    @Test
    void othersSchedulersKnowThemselvesAlone() {
        KernelFlows flows = flows(Protocol.TCP, ServiceSettings.of("wlc"), Set.of());
        Choice choice = choose(flows, 1024);
        assertEquals(Optional.empty(), choice.real());
        assertTrue(choice.reason().contains("the kernel's scheduler wlc decides"), choice.reason());
        assertTrue(flows.isKernels());
        assertEquals(Optional.empty(), flows.without(REALS.get(0)));
    }

    @Test
    void withoutAnyRealTheSenderIsTold() {
        for (ServiceSettings settings : List.of(MH, ServiceSettings.of("wlc"))) {
            KernelFlows flows = flows(Protocol.TCP, settings, Set.copyOf(REALS));
            assertEquals(Optional.empty(), choose(flows, 1024).real());
            assertFalse(flows.isKernels());
            assertEquals(IpvsDecision.Fate.DROP, flows.withoutReal());
        }
    }

    @Test
    void connectionsToADeadRealStayUntilASyn() {
        KernelFlows flows = flows(Protocol.TCP, MH, Set.of(REALS.get(0)));
        assertTrue(flows.keeps(REALS.get(0), false));
        assertFalse(flows.keeps(REALS.get(0), true));
        assertTrue(flows.keeps(REALS.get(1), true));
        assertFalse(flows.keeps(ip("10.0.1.99"), false));
    }
}
