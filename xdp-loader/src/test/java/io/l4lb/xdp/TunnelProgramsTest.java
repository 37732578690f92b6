// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static io.l4lb.xdp.TunnelPrograms.CLIENT4;
import static io.l4lb.xdp.TunnelPrograms.DIRECTOR4;
import static io.l4lb.xdp.TunnelPrograms.DIRECTOR6;
import static io.l4lb.xdp.TunnelPrograms.DROP;
import static io.l4lb.xdp.TunnelPrograms.GUE;
import static io.l4lb.xdp.TunnelPrograms.IP_IN_IP;
import static io.l4lb.xdp.TunnelPrograms.MARK;
import static io.l4lb.xdp.TunnelPrograms.REAL4;
import static io.l4lb.xdp.TunnelPrograms.REAL6;
import static io.l4lb.xdp.TunnelPrograms.UNTOUCHED;
import static io.l4lb.xdp.TunnelPrograms.VIP4;
import static io.l4lb.xdp.TunnelPrograms.frame;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The probe program, packet in and packet out; and what it puts on, the real's program takes off. */
@Tag("kernel")
class TunnelProgramsTest {
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int UDP_HEADER = 8;

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

    private static void assertOuterIp(byte[] packet, String real, int protocol) {
        byte[] address = Frame.address(real);
        boolean ipv4 = address.length == 4;
        ByteBuffer bytes = ByteBuffer.wrap(packet);
        assertEquals(ipv4 ? 0x0800 : 0x86dd, bytes.getShort(12) & 0xffff);
        assertEquals(protocol, packet[ipv4 ? 23 : 20]);
        int destination = ipv4 ? 30 : 38;
        assertArrayEquals(address, Arrays.copyOfRange(packet, destination, destination + address.length));
        int inOuter = packet.length - 14 - (ipv4 ? 0 : IPV6_HEADER);
        assertEquals(inOuter, bytes.getShort(ipv4 ? 16 : 18) & 0xffff);
        if (ipv4) {
            assertEquals(0xffff, Frame.fold(Frame.sum(bytes, 14, IPV4_HEADER)));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7, 192.0.2.1, 10.3.1.2, 4",
        "198.51.100.7, 192.0.2.1, fd00:3::2, 4",
        "2001:db8:1::7, 2001:db8::1, 10.3.1.2, 41",
        "2001:db8:1::7, 2001:db8::1, fd00:3::2, 41",
    })
    void decapsulateUndoesProbe(String client, String vip, String real, int protocol) {
        programs.target(real, DIRECTOR4, DIRECTOR6, IP_IN_IP);
        byte[] frame = frame(client, vip);
        TestRun out = programs.probe(frame, MARK);
        assertEquals(UNTOUCHED, out.returnValue());
        assertEquals(0, TunnelPrograms.mark(out));
        byte[] packet = out.packet();
        assertEquals(frame.length + (real.equals(REAL4) ? IPV4_HEADER : IPV6_HEADER), packet.length);
        assertOuterIp(packet, real, protocol);

        TestRun back = programs.decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, back.returnValue());
        assertArrayEquals(frame, back.packet());
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7, 192.0.2.1, 10.3.1.2",
        "198.51.100.7, 192.0.2.1, fd00:3::2",
        "2001:db8:1::7, 2001:db8::1, 10.3.1.2",
        "2001:db8:1::7, 2001:db8::1, fd00:3::2",
    })
    void decapsulateUndoesGueProbe(String client, String vip, String real) {
        programs.target(real, DIRECTOR4, DIRECTOR6, GUE);
        byte[] frame = frame(client, vip);
        TestRun out = programs.probe(frame, MARK);
        assertEquals(UNTOUCHED, out.returnValue());
        assertEquals(0, TunnelPrograms.mark(out));
        byte[] packet = out.packet();
        int ipHeader = real.equals(REAL4) ? IPV4_HEADER : IPV6_HEADER;
        assertEquals(frame.length + ipHeader + UDP_HEADER, packet.length);
        assertOuterIp(packet, real, Frame.UDP);
        ByteBuffer udp = ByteBuffer.wrap(packet, 14 + ipHeader, UDP_HEADER);
        assertTrue((udp.getShort() & 0xffff) >= 0xc000);
        assertEquals(6080, udp.getShort());
        assertEquals(frame.length - 14 + UDP_HEADER, udp.getShort());
        assertEquals(0, udp.getShort());

        TestRun back = programs.decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, back.returnValue());
        assertArrayEquals(frame, back.packet());
    }

    @Test
    void sourcePortOfGueVariesWithTheFlow() {
        programs.target(REAL4, DIRECTOR4, DIRECTOR6, GUE);
        byte[] one = programs.probe(frame(CLIENT4, VIP4), MARK).packet();
        byte[] same = programs.probe(frame(CLIENT4, VIP4), MARK).packet();
        byte[] other = programs.probe(frame("198.51.100.8", VIP4), MARK).packet();
        assertEquals(ByteBuffer.wrap(one).getShort(34), ByteBuffer.wrap(same).getShort(34));
        assertNotEquals(
                ByteBuffer.wrap(one).getShort(34), ByteBuffer.wrap(other).getShort(34));
    }

    @Test
    void probeLeavesOthersAlone() {
        byte[] frame = frame(CLIENT4, VIP4);
        for (int mark : new int[] {0, 7, 0x4c350001}) {
            TestRun out = programs.probe(frame, mark);
            assertEquals(UNTOUCHED, out.returnValue());
            assertEquals(mark, TunnelPrograms.mark(out));
            assertArrayEquals(frame, out.packet());
        }
    }

    @Test
    void probeWithoutTargetIsDropped() {
        assertEquals(DROP, programs.probe(frame(CLIENT4, VIP4), MARK + 1).returnValue());
    }

    @Test
    void probeWithoutSourceIsDropped() {
        for (int flags : new int[] {IP_IN_IP, GUE}) {
            programs.target(REAL6, DIRECTOR4, "::", flags);
            assertEquals(DROP, programs.probe(frame(CLIENT4, VIP4), MARK).returnValue());
        }
    }

    @Test
    void probeThatIsNotIpIsDropped() {
        programs.target(REAL4, DIRECTOR4, "::", IP_IN_IP);
        byte[] frame = frame(CLIENT4, VIP4);
        frame[13] = 0x06; // ARP
        assertEquals(DROP, programs.probe(frame, MARK).returnValue());
    }
}
