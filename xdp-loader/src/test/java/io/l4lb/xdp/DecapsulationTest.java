// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static io.l4lb.xdp.TunnelPrograms.CLIENT4;
import static io.l4lb.xdp.TunnelPrograms.CLIENT6;
import static io.l4lb.xdp.TunnelPrograms.DROP;
import static io.l4lb.xdp.TunnelPrograms.GUE;
import static io.l4lb.xdp.TunnelPrograms.IP_IN_IP;
import static io.l4lb.xdp.TunnelPrograms.REAL4;
import static io.l4lb.xdp.TunnelPrograms.REAL6;
import static io.l4lb.xdp.TunnelPrograms.UNTOUCHED;
import static io.l4lb.xdp.TunnelPrograms.VIP4;
import static io.l4lb.xdp.TunnelPrograms.VIP6;
import static io.l4lb.xdp.TunnelPrograms.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.test.Machine;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real's program: what it opens, what it leaves alone, what becomes of ECN. */
@Tag("kernel")
class DecapsulationTest {
    private static final int OUTER = 14;
    private static final int NOT_ECT = 0;
    private static final int ECT_1 = 1;
    private static final int ECT_0 = 2;
    private static final int CE = 3;
    private static final int DROPPED = -1;

    private TunnelPrograms programs;

    @BeforeEach
    void load() {
        Machine.needBpf();
        programs = new TunnelPrograms();
    }

    @AfterEach
    void close() {
        if (programs != null) {
            programs.close();
        }
    }

    private byte[] tunnel(int flags) {
        return programs.tunnel(frame(CLIENT4, VIP4), REAL4, flags);
    }

    private void assertUntouched(byte[] packet) {
        TestRun out = programs.decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, out.returnValue());
        assertArrayEquals(packet, out.packet());
    }

    private void assertOpened(byte[] frame, byte[] packet) {
        TestRun out = programs.decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, out.returnValue());
        assertArrayEquals(frame, out.packet());
    }

    @ParameterizedTest
    @ValueSource(ints = {0x2000, 0x2010, 0x0010})
    void fragmentOfTunnelIsUntouched(int fragment) {
        byte[] packet = tunnel(IP_IN_IP);
        ByteBuffer.wrap(packet).putShort(OUTER + 6, (short) fragment);
        assertUntouched(packet);
    }

    @Test
    void innerPacketOfOtherVersionIsUntouched() {
        byte[] packet = tunnel(IP_IN_IP);
        packet[OUTER + 9] = 41;
        assertUntouched(packet);
    }

    @Test
    void tunnelToAnotherHostIsUntouched() {
        byte[] packet = tunnel(IP_IN_IP);
        packet[5] = 9;
        assertUntouched(packet);
    }

    @Test
    void plainPacketIsUntouched() {
        assertUntouched(frame(CLIENT4, VIP4));
        assertUntouched(frame(CLIENT6, VIP6));
    }

    @Test
    void everyTruncationOfTheHeadersIsUntouched() {
        byte[] packet = tunnel(GUE);
        for (int length = OUTER + 20; length < OUTER + 28 + 20; length++) {
            byte[] cut = new byte[length];
            System.arraycopy(packet, 0, cut, 0, length);
            assertUntouched(cut);
        }
    }

    @Test
    void outerOptionsAreStrippedToo() {
        byte[] packet = tunnel(IP_IN_IP);
        ByteBuffer longer = ByteBuffer.allocate(packet.length + 4);
        longer.put(packet, 0, 34).putInt(0x01010101).put(packet, 34, packet.length - 34);
        longer.put(OUTER, (byte) 0x46);
        assertOpened(frame(CLIENT4, VIP4), longer.array());
    }

    /** GUE with a header of its own. */
    private static byte[] variant0(byte[] packet, int header) {
        int inner = OUTER + 28;
        return ByteBuffer.allocate(packet.length + 4)
                .put(packet, 0, inner)
                .putInt(header)
                .put(packet, inner, packet.length - inner)
                .array();
    }

    @Test
    void bareHeaderOfGueIsOpened() {
        assertOpened(frame(CLIENT4, VIP4), variant0(tunnel(GUE), 0x00040000));
        byte[] ipv6 = frame(CLIENT6, VIP6);
        assertOpened(ipv6, variant0(programs.tunnel(ipv6, REAL4, GUE), 0x00290000));
    }

    /** A control message, optional fields, flags, another protocol, variant 2. */
    @ParameterizedTest
    @ValueSource(ints = {0x20040000, 0x01040000, 0x00040001, 0x00110000, 0x80040000})
    void otherGueIsUntouched(int header) {
        assertUntouched(variant0(tunnel(GUE), header));
    }

    /** With a GRE header, and so many zeroes behind it. */
    private static byte[] gre(byte[] packet, int header, int more) {
        int inner = OUTER + 20;
        ByteBuffer longer = ByteBuffer.allocate(packet.length + 4 + more)
                .put(packet, 0, inner)
                .putInt(header)
                .put(new byte[more])
                .put(packet, inner, packet.length - inner);
        return longer.put(OUTER + 9, (byte) 47).array();
    }

    @Test
    void greIsOpened() {
        assertOpened(frame(CLIENT4, VIP4), gre(tunnel(IP_IN_IP), 0x00000800, 0));
        assertOpened(frame(CLIENT4, VIP4), gre(tunnel(IP_IN_IP), 0x80000800, 4));
        byte[] ipv6 = frame(CLIENT6, VIP6);
        assertOpened(ipv6, gre(programs.tunnel(ipv6, REAL4, IP_IN_IP), 0x000086dd, 0));
    }

    /** A key, a sequence number, version 1, an Ethernet frame inside. */
    @ParameterizedTest
    @ValueSource(ints = {0x20000800, 0x10000800, 0x00010800, 0x00006558})
    void otherGreIsUntouched(int header) {
        assertUntouched(gre(tunnel(IP_IN_IP), header, 4));
    }

    @Test
    void otherUdpIsUntouched() {
        byte[] packet = tunnel(GUE);
        packet[OUTER + 23]++;
        assertUntouched(packet);
    }

    @Test
    void anyChecksumOfGueIsTaken() {
        byte[] packet = tunnel(GUE);
        packet[OUTER + 26] = 0x55;
        assertOpened(frame(CLIENT4, VIP4), packet);
    }

    private void limit() {
        try (BpfMap limits = programs.decapsulationMap("limits");
                BpfMap vips = programs.decapsulationMap("opened_vips");
                BpfMap ends = programs.decapsulationMap("tunnel_ends");
                BpfMap sources = programs.decapsulationMap("tunnel_sources")) {
            limits.update(
                    Balancer.word(0), Balancer.buffer(8).putInt(1).putInt(7).flip(), UpdateMode.ANY);
            add(vips, VIP4);
            add(vips, VIP6);
            add(ends, REAL4);
            add(ends, REAL6);
            addPrefix(sources, 96 + 24, "10.2.0.0");
            addPrefix(sources, 64, "fd00:2::");
        }
    }

    private static void add(BpfMap map, String address) {
        map.update(Balancer.buffer(16).put(Balancer.mapped(address)).flip(), Balancer.word(0), UpdateMode.ANY);
    }

    private static void addPrefix(BpfMap map, int length, String address) {
        ByteBuffer key = Balancer.buffer(20).putInt(length).put(Balancer.mapped(address));
        map.update(key.flip(), Balancer.word(0), UpdateMode.ANY);
    }

    @ParameterizedTest
    @ValueSource(ints = {IP_IN_IP, GUE})
    void onlyWhatTheMapsNameIsOpened(int flags) {
        limit();
        for (String real : new String[] {REAL4, REAL6}) {
            for (byte[] frame : new byte[][] {frame(CLIENT4, VIP4), frame(CLIENT6, VIP6)}) {
                assertOpened(frame, programs.tunnel(frame, real, flags));
            }
        }
        assertUntouched(programs.tunnel(frame(CLIENT4, "192.0.2.2"), REAL4, flags));
        assertUntouched(programs.tunnel(frame(CLIENT6, "2001:db8::2"), REAL4, flags));
        assertUntouched(programs.tunnel(frame(CLIENT4, VIP4), "10.3.1.3", flags));
        assertUntouched(programs.tunnel(frame(CLIENT4, VIP4), "fd00:3::3", flags));
        programs.target(REAL4, "10.2.1.2", "::", flags);
        assertUntouched(
                programs.probe(frame(CLIENT4, VIP4), TunnelPrograms.MARK).packet());
        programs.target(REAL6, "::", "fd00:2:0:1::2", flags);
        assertUntouched(
                programs.probe(frame(CLIENT4, VIP4), TunnelPrograms.MARK).packet());
    }

    @Test
    void openedPacketsAreCounted() {
        byte[] packet = tunnel(IP_IN_IP);
        programs.decapsulate.testRun(packet);
        programs.decapsulate.testRun(frame(CLIENT4, VIP4));
        try (BpfMap opened = programs.decapsulationMap("opened")) {
            assertEquals(
                    1,
                    opened.lookupPerCpu(Balancer.word(0)).stream()
                            .mapToLong(ByteBuffer::getLong)
                            .sum());
        }
    }

    /** RFC 6040, figure 4. */
    static Stream<Arguments> ecn() {
        return Stream.of(
                        new int[] {NOT_ECT, NOT_ECT, NOT_ECT, NOT_ECT, DROPPED},
                        new int[] {ECT_0, ECT_0, ECT_1, ECT_0, CE},
                        new int[] {ECT_1, ECT_1, ECT_1, ECT_1, CE},
                        new int[] {CE, CE, CE, CE, CE})
                .flatMap(row -> Stream.of(
                        Arguments.of(row[0], NOT_ECT, row[1]),
                        Arguments.of(row[0], ECT_1, row[2]),
                        Arguments.of(row[0], ECT_0, row[3]),
                        Arguments.of(row[0], CE, row[4])));
    }

    @ParameterizedTest
    @MethodSource("ecn")
    void congestionOnTheWayIsToldToTheInnerPacket(int inner, int outer, int expected) {
        for (String real : new String[] {REAL4, REAL6}) {
            for (String[] ends : new String[][] {{CLIENT4, VIP4}, {CLIENT6, VIP6}}) {
                byte[] packet = programs.tunnel(frame(ends[0], ends[1], 0xa8 | inner), real, IP_IN_IP);
                setEcn(packet, outer);
                if (expected == DROPPED) {
                    assertEquals(DROP, programs.decapsulate.testRun(packet).returnValue());
                } else {
                    assertOpened(frame(ends[0], ends[1], 0xa8 | expected), packet);
                }
            }
        }
    }

    private static void setEcn(byte[] packet, int ecn) {
        if (packet[OUTER] >> 4 == 4) {
            packet[OUTER + 1] = (byte) ((packet[OUTER + 1] & ~3) | ecn);
        } else {
            packet[OUTER + 1] = (byte) ((packet[OUTER + 1] & ~0x30) | (ecn << 4));
        }
    }
}
