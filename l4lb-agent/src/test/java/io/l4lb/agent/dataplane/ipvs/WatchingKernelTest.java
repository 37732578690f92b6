// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.IpvsLab.ONE;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.SIX;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.TWO;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.RememberedFlow;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.test.Await;
import io.l4lb.test.Frame;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.ThreadContext;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of the kernel's IPVS is what it does: a client in the router's namespace sends, and nobody answers. */
@Tag("kernel")
@Timeout(300)
final class WatchingKernelTest {
    private static final int FLOWS = 40;
    private static final int FIRST_PORT = 40000;
    private static final String CLIENT4 = "10.0.0.1";
    private static final String CLIENT6 = "fd00:0:0:1::1";
    private static final Scheduling MAGLEV = new Scheduling.ByTable(Scheduler.MAGLEV, 251);
    private static final Scheduling KETAMA = new Scheduling.ByTable(Scheduler.KETAMA, 251);
    private static final Scheduling WLC = new Scheduling.ByKernel(KernelScheduler.WLC);

    @AutoClose
    private final IpvsLab lab = new IpvsLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @BeforeEach
    void client() {
        Machine.needIpvs();
        for (String command : List.of(
                "addr add " + CLIENT4 + "/24 dev director",
                "addr add " + CLIENT6 + "/64 dev director nodad",
                "route add 192.0.2.0/24 via 10.0.0.2",
                "-6 route add 2001:db8::/32 via fd00:0:0:1::2")) {
            IpvsLab.tool(lab.router(), command);
        }
    }

    private static ServiceProgram program(ServiceKey key, Scheduling scheduling, Set<InetAddress> reals) {
        List<WeightedReal> weighted = reals.stream()
                .map(real -> new WeightedReal(real.getHostAddress(), 1))
                .toList();
        Optional<LookupTable> table = scheduling instanceof Scheduling.ByTable byTable
                ? Optional.of(byTable.scheduler().build(weighted, byTable.size(), IpvsLab.SEED))
                : Optional.empty();
        List<Member> members =
                reals.stream().map(real -> new Member(real, 1, true)).toList();
        return new ServiceProgram(key, PacketKey.FIVE_TUPLE, Forwarding.IPIP, Optional.of(scheduling), table, members);
    }

    private static ServiceKey key(String vip, Protocol protocol, int port) {
        return new ServiceKey(ip(vip), protocol, port);
    }

    private void send(ServiceKey key) throws Exception {
        String source = key.vip().getAddress().length == 4 ? CLIENT4 : CLIENT6;
        ThreadContext.inNamespace(lab.router(), () -> {
            for (int port = FIRST_PORT; port < FIRST_PORT + FLOWS; port++) {
                InetSocketAddress from = new InetSocketAddress(ip(source), port);
                InetSocketAddress to = new InetSocketAddress(key.vip(), key.port());
                if (key.protocol() == Protocol.TCP) {
                    try (SocketChannel channel = SocketChannel.open()) {
                        channel.configureBlocking(false);
                        channel.bind(from);
                        channel.connect(to);
                    }
                } else {
                    try (DatagramSocket socket = new DatagramSocket(from)) {
                        socket.send(new DatagramPacket(new byte[1], 1, to));
                    }
                }
            }
            return key;
        });
    }

    private static byte[] frame(ServiceKey key, int port, int flags) {
        String source = key.vip().getAddress().length == 4 ? CLIENT4 : CLIENT6;
        String vip = key.vip().getHostAddress();
        return key.protocol() == Protocol.TCP
                ? Frame.tcp(source, port, vip, key.port()).flags(flags).bytes()
                : Frame.udp(source, port, vip, key.port()).bytes();
    }

    private static Map<Integer, InetAddress> flows(IpvsDataplane dataplane, ServiceKey key) {
        Map<Integer, InetAddress> found = new HashMap<>();
        try (FlowTable table = dataplane.flowTable()) {
            FlowTable.Reading unused = table.read(flow -> {
                if (flow.service().equals(key)) {
                    found.put(flow.client().port(), flow.real());
                }
                return true;
            });
        }
        return found;
    }

    private void predictedIsWhatHappens(ServiceKey key, Scheduling scheduling, Set<InetAddress> reals)
            throws Exception {
        try (IpvsDataplane dataplane = lab.open()) {
            dataplane.install(program(key, scheduling, reals));
            dataplane.keepAttached();
            Map<Integer, InetAddress> predicted = new HashMap<>();
            for (int port = FIRST_PORT; port < FIRST_PORT + FLOWS; port++) {
                predicted.put(
                        port,
                        dataplane
                                .packets(Set.of(key))
                                .decide(frame(key, port, Frame.SYN))
                                .choice()
                                .real()
                                .orElseThrow());
            }
            assertEquals(reals, Set.copyOf(predicted.values()));
            send(key);
            Await.await("all connections", () -> flows(dataplane, key).size() == FLOWS);
            assertEquals(predicted, flows(dataplane, key));
            for (int port = FIRST_PORT; port < FIRST_PORT + FLOWS; port++) {
                IpvsDecision decision = dataplane.packets(Set.of(key)).decide(frame(key, port, Frame.ACK));
                assertEquals(
                        Optional.ofNullable(predicted.get(port)),
                        decision.choice().real());
                assertTrue(
                        decision.choice().reason().contains("has a connection"),
                        decision.choice().reason());
            }
            lab.now = lab.now.plusSeconds(2);
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Fill(FLOWS, FLOWS), table.fill());
            }
        }
    }

    @Test
    void mhByPort() throws Exception {
        predictedIsWhatHappens(key("192.0.2.10", Protocol.TCP, 80), MAGLEV, Set.of(ONE, TWO));
    }

    @Test
    void mhOfUdp() throws Exception {
        predictedIsWhatHappens(key("192.0.2.10", Protocol.UDP, 53), MAGLEV, Set.of(ONE, TWO));
    }

    @Test
    void mhOfIpv6() throws Exception {
        predictedIsWhatHappens(key("2001:db8::10", Protocol.TCP, 80), MAGLEV, Set.of(SIX, ip("fd00::4")));
    }

    @Test
    void ourTableByMarks() throws Exception {
        predictedIsWhatHappens(key("192.0.2.10", Protocol.UDP, 53), KETAMA, Set.of(ONE, TWO));
    }

    @Test
    void aFallbackAndASynToADeadReal() throws Exception {
        ServiceKey key = key("192.0.2.10", Protocol.TCP, 80);
        try (IpvsDataplane dataplane = lab.open()) {
            dataplane.install(program(key, MAGLEV, Set.of(ONE, TWO)));
            IpvsPackets packets = dataplane.packets(Set.of(key));
            List<InetAddress> told = new ArrayList<>();
            for (int port = FIRST_PORT; port < FIRST_PORT + FLOWS; port++) {
                byte[] frame = frame(key, port, Frame.SYN);
                IpvsDecision decision = packets.decide(frame);
                told.add(
                        decision.choice().real().orElseThrow().equals(ONE)
                                ? packets.loss(frame, decision)
                                        .orElseThrow()
                                        .choice()
                                        .real()
                                        .orElseThrow()
                                : TWO);
            }
            dataplane.install(new ServiceProgram(
                    key,
                    PacketKey.FIVE_TUPLE,
                    Forwarding.IPIP,
                    Optional.of(MAGLEV),
                    Optional.empty(),
                    List.of(new Member(ONE, 1, false), new Member(TWO, 1, true))));
            send(key);
            Await.await("all connections", () -> flows(dataplane, key).size() == FLOWS);
            Map<Integer, InetAddress> found = flows(dataplane, key);
            for (int i = 0; i < FLOWS; i++) {
                assertEquals(told.get(i), found.get(FIRST_PORT + i));
            }
        }
    }

    /** The counters come up to date by themselves, and whatever the kernel alone decides is told afterwards. */
    @Test
    void countersAndOtherSchedulers() throws Exception {
        ServiceKey key = key("192.0.2.10", Protocol.UDP, 53);
        try (IpvsDataplane dataplane = lab.open()) {
            dataplane.install(program(key, WLC, Set.of(ONE, TWO)));
            assertEquals(
                    Optional.empty(),
                    dataplane
                            .packets(Set.of(key))
                            .decide(frame(key, FIRST_PORT, 0))
                            .choice()
                            .real());
            send(key);
            Await.await("all connections", () -> flows(dataplane, key).size() == FLOWS);
            Map<Integer, InetAddress> found = flows(dataplane, key);
            found.forEach((port, real) -> assertEquals(
                    Optional.of(real),
                    dataplane
                            .packets(Set.of(key))
                            .decide(frame(key, port, 0))
                            .choice()
                            .real()));
            Await.await("the counters", () -> {
                lab.now = lab.now.plusSeconds(2);
                return dataplane.counters(key).values().stream()
                                .mapToLong(counter -> counter.packets())
                                .sum()
                        == FLOWS;
            });
            assertEquals(FLOWS, dataplane.verdicts().get("forward"));
        }
    }

    /** A probe's connection is nobody's flow. */
    @Test
    void whatTheDirectorItselfSendsIsLeftOut() throws Exception {
        ServiceKey key = key("192.0.2.10", Protocol.UDP, 53);
        try (IpvsDataplane dataplane = lab.open()) {
            dataplane.install(program(key, WLC, Set.of(ONE, TWO)));
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress(key.vip(), key.port())));
            }
            List<RememberedFlow> flows = new ArrayList<>();
            try (FlowTable table = dataplane.flowTable()) {
                assertEquals(new FlowTable.Reading(0, 0), table.read(flows::add));
            }
            assertEquals(List.of(), flows);
        }
    }
}
