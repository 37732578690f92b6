// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.quic;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.rest;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.IfDownView;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the model says of what is installed. */
class ExplainerTest {
    private static final Config THREE_REALS = config(web(real(ONE, 100), real(TWO, 100), real(THREE, 50)));
    private static final ServiceKey WEB4 = new ServiceKey(VIP4, Protocol.TCP, 80);
    private static final InetSocketAddress CLIENT = new InetSocketAddress(ip("198.51.100.7"), 40000);
    private static final FlowKey FLOW = new FlowKey(CLIENT.getAddress(), 40000, VIP4, 80, 6);
    private static final int TTL_AT = 22;
    private static final String GATEWAY = "02:00:00:00:00:01";

    private static ExplainView explain(RunningAgent agent, byte[] frame) throws Exception {
        return agent.control.explain(frame).get(10, TimeUnit.SECONDS);
    }

    private static byte[] tcp(boolean syn) {
        return new AskedPacket(CLIENT, new InetSocketAddress(VIP4, 80), 6, syn).frame();
    }

    private static LookupTable table(int one, int two, int three) {
        List<WeightedReal> reals = List.of(
                new WeightedReal("10.0.1.1", one),
                new WeightedReal("10.0.1.2", two),
                new WeightedReal("10.0.1.3", three));
        return Scheduler.MAGLEV.build(reals, 251, RunningAgent.SEED);
    }

    private static String realOf(LookupTable table) {
        return table.realOf(FLOW.hash(RunningAgent.SEED)).orElseThrow();
    }

    private static LookupTable without(String real) {
        return table(
                real.equals("10.0.1.1") ? 0 : 100, real.equals("10.0.1.2") ? 0 : 100, real.equals("10.0.1.3") ? 0 : 50);
    }

    @Test
    void aNewFlowGoesByItsSlot() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            LookupTable table = table(100, 100, 50);
            String real = realOf(table);
            LookupTable then = without(real);
            int own = (int) Arrays.stream(table.slots())
                    .filter(slot -> table.reals().get(slot).identity().equals(real))
                    .count();
            String next = realOf(then);
            String reason = "no flow is remembered, or a SYN begins one, so it goes by its slot: ";
            int slot = LookupTable.slotOf(FLOW.hash(RunningAgent.SEED), 251);
            IfDownView ifDown = new IfDownView(
                    next, reason + slot + " of 251 names " + next, table.moved(then), table.moved(then) - own, 251);
            assertEquals(
                    new ExplainView(
                            "forward",
                            "web",
                            real,
                            slot,
                            "%016x".formatted(FLOW.hash(RunningAgent.SEED)),
                            GATEWAY,
                            reason + slot + " of 251 names " + real,
                            "forward-table",
                            "5-tuple",
                            "tcp 198.51.100.7:40000 > 192.0.2.10:80",
                            ifDown),
                    explain(agent, tcp(true)));
        }
    }

    @Test
    void aRememberedFlowStaysAndASynDoesNotAsk() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            String bySlot = realOf(table(100, 100, 50));
            InetAddress other = bySlot.equals("10.0.1.1") ? TWO : ONE;
            agent.kernel.remember(FLOW, other);
            ExplainView view = explain(agent, tcp(false));
            assertEquals("forward-flow", view.countedAs());
            assertEquals(other.getHostAddress(), view.real());
            assertEquals(-1, view.slot());
            assertEquals("the flow table remembers this flow", view.reason());
            IfDownView ifDown = Objects.requireNonNull(view.ifDown());
            assertEquals(realOf(without(other.getHostAddress())), ifDown.real());
            assertEquals(bySlot, explain(agent, tcp(true)).real());
        }
    }

    @Test
    void aDrainedRealTakesNoSlotsWithIt() throws Exception {
        Config config = config(web(real(ONE, 100), real(TWO, 100), real(THREE, 0)));
        try (RunningAgent agent = new RunningAgent(config).up()) {
            agent.kernel.remember(FLOW, THREE);
            ExplainView view = explain(agent, tcp(false));
            assertEquals("10.0.1.3", view.real());
            IfDownView ifDown = Objects.requireNonNull(view.ifDown());
            assertEquals(realOf(table(100, 100, 0)), ifDown.real());
            assertEquals(0, ifDown.moved());
            assertEquals(0, ifDown.others());
        }
    }

    @Test
    void theLastRealLeavesNobody() throws Exception {
        try (RunningAgent agent = new RunningAgent(config(web(real(ONE, 100)))).up()) {
            int slot = LookupTable.slotOf(FLOW.hash(RunningAgent.SEED), 251);
            assertEquals(
                    new IfDownView(
                            "",
                            "its slot names no real that may have traffic: " + slot + " of 251 names nobody",
                            251,
                            0,
                            251),
                    explain(agent, tcp(true)).ifDown());
        }
    }

    @Test
    void aServerIdNamesItsReal() throws Exception {
        Real one = new Real(ONE, 100, Optional.of(serverId("aa01")));
        Real two = new Real(TWO, 100, Optional.of(serverId("aa02")));
        try (RunningAgent agent = new RunningAgent(config(quic(one, two))).up()) {
            // Short header; rotation 3, server ID aa02, nonce.
            ExplainView view = explain(agent, udp("40" + "67aa020102030405"));
            assertEquals("forward-server-id", view.countedAs());
            assertEquals("10.0.1.2", view.real());
            assertEquals("quic-cid", view.hashKey());
            assertEquals("udp 198.51.100.7:40000 > 192.0.2.10:443", view.key());
            assertEquals("10.0.1.1", Objects.requireNonNull(view.ifDown()).real());
            assertEquals(
                    "forward-table",
                    explain(agent, udp("40" + "67aa030102030405")).countedAs());
        }
    }

    private static void assertUnread(String ending, byte[] frame) throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            String reason = explain(agent, frame).reason();
            assertTrue(ending.isEmpty() ? !reason.contains(";") : reason.endsWith(ending), reason);
        }
    }

    @Test
    void whatTheDataplaneDoesNotReadIsSaid() throws Exception {
        for (int tags = 0; tags <= 3; tags++) {
            byte[] plain = tcp(true);
            byte[] tagged = new byte[plain.length + 4 * tags];
            System.arraycopy(plain, 0, tagged, 0, 12);
            for (int tag = 0; tag < tags; tag++) {
                tagged[12 + 4 * tag] = (byte) 0x81;
            }
            System.arraycopy(plain, 12, tagged, 12 + 4 * tags, plain.length - 12);
            assertUnread(
                    tags < 3 ? "" : "; it has more than two VLAN tags, and the dataplane looks behind two at most",
                    tagged);
        }
        for (int headers : List.of(0, 8, 9)) {
            byte[] plain = new AskedPacket(
                            new InetSocketAddress(ip("2001:db8::7"), 40000), new InetSocketAddress(VIP6, 80), 6, true)
                    .frame();
            byte[] extended = new byte[plain.length + 8 * headers];
            System.arraycopy(plain, 0, extended, 0, 54);
            extended[18 + 1] += (byte) (8 * headers); // payload length
            extended[20] = (byte) (headers == 0 ? 6 : 60);
            for (int header = 0; header < headers; header++) {
                extended[54 + 8 * header] = (byte) (header == headers - 1 ? 6 : 60);
            }
            System.arraycopy(plain, 54, extended, 54 + 8 * headers, plain.length - 54);
            assertUnread(
                    headers < 9
                            ? ""
                            : "; it has more than eight IPv6 extension headers, or one is cut off: the dataplane looks"
                                    + " behind eight whole ones at most, so it knows neither the protocol nor the"
                                    + " ports",
                    extended);
        }
    }

    private static ServerId serverId(String hex) {
        return ServerId.ofHex(hex);
    }

    /** A datagram with that payload to port 443. */
    private static byte[] udp(String payload) {
        byte[] content = HexFormat.of().parseHex(payload);
        byte[] empty = new AskedPacket(CLIENT, new InetSocketAddress(VIP4, 443), 17, false).frame();
        byte[] frame = Arrays.copyOf(empty, empty.length + content.length);
        System.arraycopy(content, 0, frame, empty.length, content.length);
        frame[17] += (byte) content.length; // total length
        frame[39] += (byte) content.length; // length of the datagram
        return frame;
    }

    @Test
    void aPacketThatDoesNotGetThereSaysWhereItWouldHaveGone() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            byte[] frame = tcp(true);
            frame[TTL_AT] = 1;
            ExplainView view = explain(agent, frame);
            assertEquals("drop", view.verdict());
            assertEquals("", view.nextHop());
            assertEquals("drop-ttl", view.countedAs());
            assertEquals(realOf(table(100, 100, 50)), view.real());
        }
    }

    @Test
    void framesOfNobodyHaveNothingButAReason() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            for (byte[] frame : List.of(new byte[0], new byte[1], new byte[60])) {
                assertEquals(
                        new ExplainView(
                                "pass",
                                "",
                                "",
                                -1,
                                "",
                                "",
                                "it is not IP, or its IP header is not whole",
                                "pass-not-ip",
                                "",
                                "",
                                null),
                        explain(agent, frame));
            }
            byte[] cut = Arrays.copyOf(tcp(true), 40);
            ExplainView malformed = explain(agent, cut);
            assertEquals("drop-malformed", malformed.countedAs());
            assertEquals("web", malformed.service());
            assertNull(malformed.ifDown());
        }
    }

    /** From a router, which says that 1400 bytes fit the way to the first real. */
    private static final String ROUTERS_MESSAGE = "02000000000b02000000000a0800" // Ethernet
            + "45c0004c12340000400121bacb0071010a000002" // IPv4
            + "030438d100000578" // ICMP
            + "450005d4000040003f0421240a0000020a000101" // of the tunnel packet, the outer IPv4
            + "450005c0123440003f0637bfc6336407c000020a" // IPv4 of the packet inside
            + "9c40005011111111"; // its ports and sequence number

    @Test
    void aRoutersMessageAboutATunnelPacketIsAnswered() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            ExplainView view = explain(agent, HexFormat.of().parseHex(ROUTERS_MESSAGE));
            assertEquals("answer", view.verdict());
            assertEquals("answer-path-mtu", view.countedAs());
            assertEquals(
                    "a router found a tunnel packet too big, which the sender of what was in it is told",
                    view.reason());
        }
    }

    @Test
    void anyProtocolIsForTheRest() throws Exception {
        Config both = config(web(real(ONE, 100)), rest(real(TWO, 100)));
        try (RunningAgent agent = new RunningAgent(both).up()) {
            assertEquals("web", explain(agent, tcp(true)).service());
            InetSocketAddress other = new InetSocketAddress(VIP4, 81);
            for (int protocol : new int[] {6, 17, 132}) {
                ExplainView view = explain(agent, new AskedPacket(CLIENT, other, protocol, true).frame());
                assertEquals("rest", view.service());
                assertEquals("10.0.1.2", view.real());
                assertEquals("3-tuple", view.hashKey());
            }
            ExplainView esp = explain(agent, new AskedPacket(CLIENT, other, 50, false).frame());
            assertEquals("rest", esp.service());
            assertEquals("esp 198.51.100.7 > 192.0.2.10", esp.key());
        }
    }

    @Test
    void eachVipHasItsOwnTableAndName() throws Exception {
        try (RunningAgent agent = new RunningAgent(THREE_REALS).up()) {
            InetSocketAddress client = new InetSocketAddress(ip("2001:db8:1::7"), 40000);
            ExplainView view =
                    explain(agent, new AskedPacket(client, new InetSocketAddress(VIP6, 80), 6, true).frame());
            assertEquals("web", view.service());
            assertEquals("tcp [2001:db8:1::7]:40000 > [2001:db8::10]:80", view.key());
            assertEquals("forward", view.verdict());
        }
    }

    @Test
    void whatTheKernelHasCountsNotWhatItShouldHave() throws Exception {
        try (RunningAgent agent = new RunningAgent(config(web(real(ONE, 100)))).up()) {
            agent.kernel.refuse(WEB4, "the map is full");
            agent.files = new LoadResult(Optional.of(config(web(real(TWO, 100)))), List.of());
            assertNotEquals(
                    List.of(), agent.control.reload().get(10, TimeUnit.SECONDS).changed());
            ExplainView view = explain(agent, tcp(true));
            assertEquals("10.0.1.1", view.real());
        }
    }

    @Test
    void whatOnlyTheKernelKnowsIsNotMadeUp() throws Exception {
        Config fib = new Config(
                THREE_REALS.agent(),
                Other.fib(THREE_REALS.xdp()),
                THREE_REALS.bgp(),
                THREE_REALS.services(),
                THREE_REALS.serviceFiles(),
                true);
        try (RunningAgent agent = new RunningAgent(fib).up()) {
            ExplainView view = explain(agent, tcp(true));
            assertEquals("forward", view.verdict());
            assertEquals(realOf(table(100, 100, 50)), view.real());
            assertEquals("asked of the kernel for each packet, which is dropped if it knows none", view.nextHop());
        }
    }
}
