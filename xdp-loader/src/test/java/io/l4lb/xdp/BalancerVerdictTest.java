// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import io.l4lb.xdp.Balancer.Verdict;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Packet in, verdict out: each reason, counted once with the packet's bytes. */
@Tag("kernel")
class BalancerVerdictTest {
    private static final String VIP = "192.0.2.1";
    private static final String VIP6 = "2001:db8::1";

    private Balancer balancer;

    @BeforeEach
    void load() {
        Machine.needBpf();
        balancer = new Balancer();
        balancer.simple(VIP, "10.3.1.2");
        balancer.service(VIP6, Frame.TCP, 80, 1, 0, 7);
        balancer.service(VIP, Frame.UDP, 53, 1, 0, 7);
    }

    @AfterEach
    void close() {
        if (balancer != null) {
            balancer.close();
        }
    }

    private static Frame tcp() {
        return Frame.tcp("198.51.100.7", 40000, VIP, 80);
    }

    private static Frame tcp6() {
        return Frame.tcp("2001:db8:1::7", 40000, VIP6, 80);
    }

    private static Frame udp() {
        return Frame.udp("198.51.100.7", 40000, VIP, 53);
    }

    private void expect(Verdict verdict, byte[] frame) {
        TestRun run = balancer.program.testRun(frame);
        String name = verdict.name();
        int action = name.startsWith("PASS")
                ? Balancer.XDP_PASS
                : name.startsWith("FORWARD") ? Balancer.XDP_TX : Balancer.XDP_DROP;
        assertEquals(1, balancer.count(verdict), () -> name + " expected, this came: " + counts());
        assertEquals(action, run.returnValue());
        assertEquals(frame.length, balancer.bytes(verdict));
        if (action == Balancer.XDP_PASS) {
            assertArrayEquals(frame, run.packet());
        }
    }

    private String counts() {
        StringBuilder text = new StringBuilder();
        for (Verdict verdict : Verdict.values()) {
            if (balancer.count(verdict) > 0) {
                text.append(verdict).append(' ');
            }
        }
        return text.toString();
    }

    @Test
    void passesWhatIsNotIp() {
        byte[] frame = tcp().bytes();
        frame[13] = 0x06; // ARP
        expect(Verdict.PASS_NOT_IP, frame);
    }

    @Test
    void passesTruncatedHeader() {
        expect(Verdict.PASS_NOT_IP, tcp().cut(25).bytes());
    }

    @Test
    void passesHeaderTooShortToBeOne() {
        byte[] frame = tcp().bytes();
        frame[14] = 0x44;
        expect(Verdict.PASS_NOT_IP, frame);
    }

    @Test
    void passesOtherVersionThanEthernetSays() {
        byte[] frame = tcp().bytes();
        frame[14] = 0x65;
        expect(Verdict.PASS_NOT_IP, frame);
    }

    @Test
    void passesOtherPort() {
        expect(Verdict.PASS_NO_SERVICE, Frame.tcp("198.51.100.7", 1, VIP, 81).bytes());
    }

    @Test
    void passesOtherProtocolOnSamePort() {
        expect(Verdict.PASS_NO_SERVICE, Frame.udp("198.51.100.7", 1, VIP, 80).bytes());
    }

    @Test
    void passesMalformedPacketToSomebodyElse() {
        expect(
                Verdict.PASS_NO_SERVICE,
                Frame.tcp("198.51.100.7", 1, "192.0.2.9", 80).claimMore(9).bytes());
    }

    @Test
    void passesExtensionHeaders() {
        expect(Verdict.PASS_NO_SERVICE, tcp6().nextHeader(60).bytes());
    }

    /** An IPv6 packet to ::ffff:192.0.2.1 is not for 192.0.2.1. */
    @Test
    void passesMappedDestination() {
        byte[] frame = tcp6().bytes();
        System.arraycopy(Balancer.mapped(VIP), 0, frame, 14 + 24, 16);
        expect(Verdict.PASS_NO_SERVICE, frame);
    }

    @Test
    void dropsMappedSource() {
        byte[] frame = tcp6().bytes();
        System.arraycopy(Balancer.mapped("198.51.100.7"), 0, frame, 14 + 8, 16);
        expect(Verdict.DROP_MALFORMED, frame);
    }

    @Test
    void forwardsFirstFragment() {
        expect(Verdict.FORWARD_TABLE, tcp().fragment(0x2000).bytes());
    }

    @Test
    void dropsLaterFragmentWhoseFirstWasNotSeen() {
        expect(Verdict.DROP_FRAGMENT, tcp().fragment(0x0010).bytes());
    }

    @Test
    void passesFragmentOfIpv6() {
        expect(Verdict.PASS_FRAGMENT, tcp6().nextHeader(44).bytes());
    }

    @Test
    void forwardsByTableThenByFlow() {
        expect(Verdict.FORWARD_TABLE, tcp().bytes());
        expect(Verdict.FORWARD_FLOW, tcp().bytes());
        assertEquals(2, balancer.realPackets(1));
        assertEquals(2L * tcp().bytes().length, balancer.realBytes(1));
    }

    @Test
    void forwardsUdp() {
        expect(Verdict.FORWARD_TABLE, udp().payload(30).bytes());
    }

    @Test
    void forwardsWithDontFragment() {
        expect(Verdict.FORWARD_TABLE, tcp().fragment(0x4000).bytes());
    }

    @Test
    void forwardsWithIpOptions() {
        expect(Verdict.FORWARD_TABLE, tcp().options(10).bytes());
    }

    @Test
    void forwardsPaddedFrame() {
        expect(Verdict.FORWARD_TABLE, tcp().padding(6).bytes());
    }

    @Test
    void dropsLengthBeyondFrame() {
        expect(Verdict.DROP_MALFORMED, tcp().claimMore(1).bytes());
    }

    @Test
    void dropsLengthBeyondFrameOfIpv6() {
        expect(Verdict.DROP_MALFORMED, tcp6().claimMore(1).bytes());
    }

    @Test
    void dropsLengthWithinTcpHeader() {
        expect(Verdict.DROP_MALFORMED, tcp().claimMore(-1).bytes());
    }

    @Test
    void dropsLengthWithinIpHeader() {
        expect(Verdict.DROP_MALFORMED, tcp().claimMore(-25).bytes());
    }

    @Test
    void dropsFrameThatEndsBehindPorts() {
        expect(Verdict.DROP_MALFORMED, tcp().cut(10).bytes());
    }

    @Test
    void dropsDataOffsetBelowHeader() {
        expect(Verdict.DROP_MALFORMED, tcp().dataOffset(4).bytes());
    }

    @Test
    void dropsDataOffsetBeyondPacket() {
        expect(Verdict.DROP_MALFORMED, tcp().dataOffset(6).bytes());
    }

    @Test
    void dropsUdpLengthBeyondPacket() {
        expect(Verdict.DROP_MALFORMED, udp().claimMoreUdp(1).bytes());
    }

    @Test
    void dropsUdpLengthBelowHeader() {
        expect(Verdict.DROP_MALFORMED, udp().claimMoreUdp(-1).bytes());
    }

    @Test
    void dropsEmptySlot() {
        balancer.table(
                0,
                Balancer.NO_REAL,
                Balancer.NO_REAL,
                Balancer.NO_REAL,
                Balancer.NO_REAL,
                Balancer.NO_REAL,
                Balancer.NO_REAL,
                Balancer.NO_REAL);
        expect(Verdict.DROP_NO_REAL, tcp().bytes());
    }

    @Test
    void dropsWithoutTable() {
        balancer.tables.delete(Balancer.word(0));
        expect(Verdict.DROP_NO_REAL, tcp().bytes());
    }

    @Test
    void dropsInactiveReal() {
        balancer.real(1, "10.3.1.2", 1, false);
        expect(Verdict.DROP_NO_REAL, tcp().bytes());
    }

    @Test
    void dropsRealOfAnotherService() {
        balancer.real(1, "10.3.1.2", 2, true);
        expect(Verdict.DROP_NO_REAL, tcp().bytes());
    }

    @Test
    void dropsUsedUpTtl() {
        expect(Verdict.DROP_TTL, tcp().ttl(1).bytes());
    }

    @Test
    void dropsUsedUpHopLimit() {
        expect(Verdict.DROP_TTL, tcp6().ttl(0).bytes());
    }

    @Test
    void forwardsWhatJustFits() {
        expect(Verdict.FORWARD_TABLE, tcp().payload(1500 - 20 - 40).bytes());
    }

    @Test
    void dropsWhatDoesNotFit() {
        expect(Verdict.DROP_TOO_BIG, tcp().payload(1500 - 20 - 40 + 1).bytes());
    }

    @Test
    void dropsWithoutGateway() {
        balancer.settings(1500, new byte[6], Balancer.GATEWAY6);
        expect(Verdict.DROP_NO_NEXT_HOP, tcp().bytes());
    }

    @Test
    void dropsWithoutSource() {
        balancer.settings(1500, new byte[16], Balancer.GATEWAY4, Balancer.mapped(Balancer.SOURCE6), Balancer.GATEWAY6);
        expect(Verdict.DROP_NO_NEXT_HOP, tcp().bytes());
    }

    /** Metadata in front of the frame takes the headroom away: 200 of the 256 bytes, of which the kernel needs 40. */
    @Test
    void dropsWithoutHeadroom() {
        byte[] frame = tcp().bytes();
        int metadata = 200;
        byte[] data = new byte[metadata + frame.length];
        System.arraycopy(frame, 0, data, metadata, frame.length);
        byte[] context = new byte[24]; // struct xdp_md { __u32 data, data_end, data_meta, ... }
        ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()).putInt(metadata).putInt(data.length);
        TestRun run;
        try {
            run = balancer.program.testRun(data, context);
        } catch (BpfException e) {
            Assumptions.abort("older kernels allow 32 bytes of metadata only: " + e);
            return;
        }
        assertEquals(Balancer.XDP_DROP, run.returnValue());
        assertEquals(1, balancer.count(Verdict.DROP_NO_HEADROOM), this::counts);
        assertEquals(frame.length, balancer.bytes(Verdict.DROP_NO_HEADROOM));
    }
}
