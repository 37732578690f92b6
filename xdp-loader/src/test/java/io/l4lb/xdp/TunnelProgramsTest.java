// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tc programs, packet in and packet out: what probe puts on, decapsulate takes off. */
@Tag("kernel")
class TunnelProgramsTest {
    private static final int UNTOUCHED = -1; // TC_ACT_UNSPEC
    private static final int DROP = 2; // TC_ACT_SHOT
    private static final int MARK = 0x4c340001;
    /* struct __sk_buff { __u32 len, pkt_type, mark, ... } */
    private static final int CONTEXT_SIZE = 192;
    private static final int CONTEXT_MARK = 8;

    private BpfObject probeObject;
    private BpfObject decapsulateObject;
    private ProgramHandle probe;
    private ProgramHandle decapsulate;

    @BeforeEach
    void load() {
        Machine.needBpf();
        probeObject = BpfObject.open("probe", BpfProgram.PROBE.object()).load();
        decapsulateObject =
                BpfObject.open("decapsulate", BpfProgram.DECAPSULATE.object()).load();
        probe = probeObject.program("probe");
        decapsulate = decapsulateObject.program("decapsulate");
    }

    @AfterEach
    void close() {
        if (probe != null) {
            probe.close();
            decapsulate.close();
            probeObject.close();
            decapsulateObject.close();
        }
    }

    private void target(String real, String source4, String source6) {
        try (BpfMap probes = probeObject.map("probes")) {
            ByteBuffer value = Balancer.buffer(48).put(Balancer.mapped(real));
            value.put(Balancer.mapped(source4)).put(Balancer.mapped(source6)).flip();
            probes.update(Balancer.word(MARK), value, UpdateMode.ANY);
        }
    }

    private TestRun probe(byte[] frame, int mark) {
        byte[] context = new byte[CONTEXT_SIZE];
        ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()).putInt(CONTEXT_MARK, mark);
        return probe.testRun(frame, context);
    }

    private static int mark(TestRun run) {
        return ByteBuffer.wrap(run.context()).order(ByteOrder.nativeOrder()).getInt(CONTEXT_MARK);
    }

    /** A test run's skb counts as sent to this host if its destination is the loopback's MAC: all zero. */
    private static byte[] toThisHost(byte[] frame) {
        byte[] copy = frame.clone();
        Arrays.fill(copy, 0, 6, (byte) 0);
        return copy;
    }

    private static byte[] frame(String client, String vip) {
        return toThisHost(
                Frame.tcp(client, 40000, vip, 80).trafficClass(0xb9).payload(33).bytes());
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7, 192.0.2.1, 10.3.1.2, 0800, 04",
        "198.51.100.7, 192.0.2.1, fd00:3::2, 86dd, 04",
        "2001:db8:1::7, 2001:db8::1, 10.3.1.2, 0800, 29",
        "2001:db8:1::7, 2001:db8::1, fd00:3::2, 86dd, 29",
    })
    void decapsulateUndoesProbe(String client, String vip, String real, String etherType, String protocol) {
        target(real, "10.2.0.2", "fd00:2::2");
        byte[] frame = frame(client, vip);
        TestRun out = probe(frame, MARK);
        assertEquals(UNTOUCHED, out.returnValue());
        assertEquals(0, mark(out));
        byte[] address = Frame.address(real);
        boolean ipv4 = address.length == 4;
        byte[] packet = out.packet();
        assertEquals(frame.length + (ipv4 ? 20 : 40), packet.length);
        assertEquals(etherType, String.format("%04x", ByteBuffer.wrap(packet).getShort(12)));
        assertEquals(protocol, String.format("%02x", packet[ipv4 ? 23 : 20]));
        int destination = ipv4 ? 30 : 38;
        assertArrayEquals(address, Arrays.copyOfRange(packet, destination, destination + address.length));
        assertEquals(0xffff, ipv4 ? Frame.fold(Frame.sum(ByteBuffer.wrap(packet), 14, 20)) : 0xffff);

        TestRun back = decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, back.returnValue());
        assertArrayEquals(frame, back.packet());
    }

    @Test
    void probeLeavesOthersAlone() {
        byte[] frame = frame("198.51.100.7", "192.0.2.1");
        for (int mark : new int[] {0, 7, 0x4c350001}) {
            TestRun out = probe(frame, mark);
            assertEquals(UNTOUCHED, out.returnValue());
            assertEquals(mark, mark(out));
            assertArrayEquals(frame, out.packet());
        }
    }

    @Test
    void probeWithoutTargetIsDropped() {
        assertEquals(DROP, probe(frame("198.51.100.7", "192.0.2.1"), MARK + 1).returnValue());
    }

    @Test
    void probeWithoutSourceIsDropped() {
        target("fd00:3::2", "10.2.0.2", "::");
        assertEquals(DROP, probe(frame("198.51.100.7", "192.0.2.1"), MARK).returnValue());
    }

    @Test
    void probeThatIsNotIpIsDropped() {
        target("10.3.1.2", "10.2.0.2", "::");
        byte[] frame = frame("198.51.100.7", "192.0.2.1");
        frame[13] = 0x06; // ARP
        assertEquals(DROP, probe(frame, MARK).returnValue());
    }

    private byte[] tunnel() {
        target("10.3.1.2", "10.2.0.2", "::");
        return probe(frame("198.51.100.7", "192.0.2.1"), MARK).packet();
    }

    @Test
    void fragmentOfTunnelIsDropped() {
        byte[] packet = tunnel();
        packet[20] = 0x20; // more fragments
        assertEquals(DROP, decapsulate.testRun(packet).returnValue());
    }

    @Test
    void innerPacketOfOtherVersionIsDropped() {
        byte[] packet = tunnel();
        packet[23] = 41;
        assertEquals(DROP, decapsulate.testRun(packet).returnValue());
    }

    @Test
    void tunnelToAnotherHostIsUntouched() {
        byte[] packet = tunnel();
        packet[5] = 9;
        TestRun out = decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, out.returnValue());
        assertArrayEquals(packet, out.packet());
    }

    @Test
    void plainPacketIsUntouched() {
        byte[] packet = frame("198.51.100.7", "192.0.2.1");
        TestRun out = decapsulate.testRun(packet);
        assertEquals(UNTOUCHED, out.returnValue());
        assertArrayEquals(packet, out.packet());
    }

    @Test
    void outerOptionsAreStrippedToo() {
        byte[] packet = tunnel();
        ByteBuffer longer = ByteBuffer.allocate(packet.length + 4);
        longer.put(packet, 0, 34).putInt(0x01010101).put(packet, 34, packet.length - 34);
        longer.put(14, (byte) 0x46);
        assertArrayEquals(
                frame("198.51.100.7", "192.0.2.1"),
                decapsulate.testRun(longer.array()).packet());
    }
}
