// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.Programs.down;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.PORT;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.VIP;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.VIP6;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.real;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import java.net.DatagramSocket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of packets and connections, in the kernel's IPVS. */
@Tag("kernel")
final class TrafficTest {
    private static final ServiceKey TCP = new ServiceKey(VIP, Protocol.TCP, PORT);
    private static final ServiceKey TCP6 = new ServiceKey(VIP6, Protocol.TCP, PORT);
    private static final ServiceKey UDP = new ServiceKey(VIP, Protocol.UDP, PORT);
    private static final int FLOWS = 32;

    private boolean opened;
    private TrafficLab lab;
    private IpvsDataplane dataplane;

    @BeforeEach
    void build() throws Exception {
        lab = new TrafficLab();
        dataplane = lab.director.call(lab::open);
        opened = true;
    }

    /** Nothing, where the machine has no IPVS. */
    @AfterEach
    void remove() throws Exception {
        if (opened) {
            dataplane.close();
            lab.close();
        }
    }

    private void install(ServiceKey key, Member... members) throws Exception {
        lab.director.call(() -> dataplane.install(Programs.of(key, KernelScheduler.MH, members)));
    }

    private void pass() throws Exception {
        lab.director.call(() -> {
            dataplane.observe();
            dataplane.keepAttached();
            return true;
        });
    }

    /** Connections, with the real of each. */
    private Map<TrafficLab.Flow, Integer> flows() throws Exception {
        Map<TrafficLab.Flow, Integer> flows = new LinkedHashMap<>();
        for (int i = 0; i < FLOWS; i++) {
            TrafficLab.Flow flow = lab.connect();
            flows.put(flow, flow.real().orElseThrow());
        }
        return flows;
    }

    private static void assertKept(Map<TrafficLab.Flow, Integer> flows) {
        flows.forEach((flow, real) -> assertEquals(Optional.of(real), flow.real()));
    }

    @Test
    void connectionsOutliveChangesAndTheAgent() throws Exception {
        install(TCP, up(real(1), 1), up(real(3), 1));
        Map<TrafficLab.Flow, Integer> flows = flows();
        install(TCP, up(real(1), 1), up(real(2), 1), up(real(3), 1)); // in the middle of the kernel's list
        assertKept(flows);
        assertEquals(
                "1",
                lab.exec("director", "sysctl -n net.ipv4.vs.expire_nodest_conn").strip());
        install(TCP, up(real(1), 4), up(real(2), 1), up(real(3), 2));
        assertKept(flows);
        dataplane.close();
        dataplane = lab.director.call(lab::open);
        pass();
        install(TCP, up(real(1), 4), up(real(2), 1), up(real(3), 2));
        assertKept(flows);
        flows.putAll(flows());
        assertTrue(flows.containsValue(1));
        flows.keySet().forEach(TrafficLab.Flow::close);
    }

    @Test
    void drainedAndRemovedRealsKeepTheirConnectionsForAWhile() throws Exception {
        install(TCP, up(real(1), 1), up(real(2), 1));
        Map<TrafficLab.Flow, Integer> flows = flows();
        assertTrue(flows.containsValue(1) && flows.containsValue(2), "both get some: " + flows.values());
        install(TCP, up(real(1), 1), up(real(2), 0));
        lab.now = lab.now.plus(TrafficLab.DRAIN.multipliedBy(2));
        pass();
        assertKept(flows);
        assertEquals(List.of(1), flows().values().stream().distinct().toList());
        install(TCP, up(real(1), 1));
        pass();
        assertKept(flows);
        lab.now = lab.now.plus(TrafficLab.DRAIN);
        pass();
        flows.forEach((flow, real) -> assertEquals(real == 1 ? Optional.of(1) : Optional.empty(), flow.real()));
        flows.keySet().forEach(TrafficLab.Flow::close);
    }

    @Test
    void flowsOfADeadRealMoveWithTheirNextPacket() throws Exception {
        install(UDP, up(real(1), 1), up(real(2), 1));
        List<DatagramSocket> clients = new ArrayList<>();
        Map<DatagramSocket, Integer> reals = new LinkedHashMap<>();
        for (int i = 0; i < FLOWS; i++) {
            DatagramSocket client = lab.udp();
            clients.add(client);
            reals.put(client, TrafficLab.ask(client));
        }
        assertTrue(reals.containsValue(2));
        install(UDP, up(real(1), 1), down(real(2), 1));
        for (DatagramSocket client : clients) {
            // The kernel drops the packet that finds its connection's destination gone, or reschedules it.
            int answer;
            try {
                answer = TrafficLab.ask(client);
            } catch (java.net.SocketTimeoutException e) {
                answer = TrafficLab.ask(client);
            }
            assertEquals(1, answer);
        }
    }

    @Test
    void probesReachTheirRealAndNotOneWithoutATunnel() throws Exception {
        lab.exec("director", "sysctl -qw net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.eth0.rp_filter=1");
        dataplane.close();
        dataplane = lab.director.call(lab::open);
        install(TCP, up(real(1), 1));
        install(TCP6, up(real(1), 1));
        lab.director.call(() -> {
            dataplane.keepAttached();
            return dataplane.marks();
        });
        assertNotEquals(
                "1",
                lab.exec("director", "sysctl -n net.ipv4.conf.eth0.rp_filter").strip());
        Map<Integer, ProbePath> marks = lab.director.call(dataplane::marks);
        for (Map.Entry<Integer, ProbePath> mark : marks.entrySet()) {
            int number = mark.getValue().real().getAddress()[2] - 1;
            assertEquals(Optional.of(number), lab.probe(VIP, mark.getKey()));
            assertEquals(Optional.of(number), lab.probe(VIP6, mark.getKey()));
            lab.tool("real" + number, "link set tunl0 down");
            assertEquals(Optional.empty(), lab.probe(VIP, mark.getKey()));
            lab.tool("real" + number, "link set sit0 down");
            assertEquals(Optional.empty(), lab.probe(VIP6, mark.getKey()));
        }
    }
}
