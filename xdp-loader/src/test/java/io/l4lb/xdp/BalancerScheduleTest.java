// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import io.l4lb.xdp.Balancer.Verdict;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which real a flow gets: hash and slot, the flow table, and tables that change under traffic. */
@Tag("kernel")
class BalancerScheduleTest {
    private static final String VIP = "192.0.2.1";
    private static final String VIP6 = "2001:db8::1";

    private Balancer balancer;

    @BeforeEach
    void load() {
        Machine.needBpf();
        balancer = new Balancer();
        balancer.service(VIP, Frame.TCP, 80, 1, 0, 7);
        balancer.real(1, "10.3.0.1", 1, true);
        balancer.real(2, "10.3.0.2", 1, true);
        allSlots(1);
    }

    @AfterEach
    void close() {
        if (balancer != null) {
            balancer.close();
        }
    }

    private void allSlots(int real) {
        balancer.table(0, IntStream.range(0, 7).map(i -> real).toArray());
    }

    private static Frame tcp() {
        return Frame.tcp("198.51.100.7", 40000, VIP, 80);
    }

    /** The last octet of the outer destination. */
    private int real(Frame frame) {
        TestRun run = balancer.run(frame);
        assertEquals(Balancer.XDP_TX, run.returnValue());
        return run.packet()[33];
    }

    private static byte[] flowKey(byte[] source, int sourcePort, byte[] vip, int protocol) {
        ByteBuffer key = ByteBuffer.allocate(40).put(source).put(vip);
        return key.putShort((short) sourcePort)
                .putShort((short) 80)
                .put((byte) protocol)
                .array();
    }

    @Test
    void sipHashOfTheTestIsSipHash() {
        byte[] message = new byte[15];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) i;
        }
        /* Appendix A of the paper: SipHash-2-4, key 00..0f, message 00..0e. */
        assertEquals(0xa129ca6149be45e5L, SipHash.hash(2, 4, Balancer.K0, Balancer.K1, message));
    }

    @Test
    void slotIsTheOneOfSipHash() {
        int size = 251;
        balancer.table(1, IntStream.range(0, size).map(i -> 100 + i).toArray());
        for (String vip : new String[] {VIP, VIP6}) {
            balancer.service(vip, Frame.TCP, 80, 5, 1, size);
        }
        IntStream.range(0, size).forEach(i -> balancer.real(100 + i, "10.4.0." + i, 5, true));
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            int port = 1024 + random.nextInt(60000);
            boolean ipv4 = random.nextBoolean();
            String client = ipv4
                    ? "198.51." + random.nextInt(256) + "." + random.nextInt(256)
                    : "2001:db8:1::" + Integer.toHexString(random.nextInt(0x10000));
            String vip = ipv4 ? VIP : VIP6;
            byte[] key = flowKey(Balancer.mapped(client), port, Balancer.mapped(vip), Frame.TCP);
            long upper = SipHash.hash(1, 3, Balancer.K0, Balancer.K1, key) >>> 32;
            int slot = (int) ((upper * size) >>> 32);
            assertEquals(slot, real(Frame.tcp(client, port, vip, 80)) & 0xff, client + " port " + port);
        }
    }

    @Test
    void flowStaysWithItsReal() {
        assertEquals(1, real(tcp().flags(Frame.SYN)));
        allSlots(2);
        assertEquals(1, real(tcp()));
        assertEquals(2, real(Frame.tcp("198.51.100.7", 40001, VIP, 80)));
        assertEquals(1, balancer.count(Verdict.FORWARD_FLOW));
    }

    @Test
    void synSchedulesAnewAndIsRemembered() {
        assertEquals(1, real(tcp()));
        allSlots(2);
        assertEquals(2, real(tcp().flags(Frame.SYN)));
        assertEquals(2, real(tcp()));
        allSlots(1);
        assertEquals(2, real(tcp()));
    }

    @Test
    void synWithAckIsNoStart() {
        assertEquals(1, real(tcp()));
        allSlots(2);
        assertEquals(1, real(tcp().flags(Frame.SYN | Frame.ACK)));
    }

    @Test
    void flowLeavesInactiveReal() {
        assertEquals(1, real(tcp()));
        allSlots(2);
        balancer.real(1, "10.3.0.1", 1, false);
        assertEquals(2, real(tcp()));
        balancer.real(1, "10.3.0.1", 1, true);
        assertEquals(2, real(tcp()));
    }

    @Test
    void flowLeavesRealOfAnotherService() {
        assertEquals(1, real(tcp()));
        allSlots(2);
        balancer.real(1, "10.3.0.1", 9, true);
        assertEquals(2, real(tcp()));
    }

    @Test
    void udpAndTcpFlowsAreApart() {
        balancer.service(VIP, Frame.UDP, 80, 1, 0, 7);
        assertEquals(1, real(tcp()));
        allSlots(2);
        assertEquals(2, real(Frame.udp("198.51.100.7", 40000, VIP, 80)));
        assertEquals(1, real(tcp()));
        assertEquals(2, balancer.flows.keys().size());
    }

    @Test
    void nothingIsRememberedWithoutReal() {
        allSlots(Balancer.NO_REAL);
        assertEquals(Balancer.XDP_DROP, balancer.run(tcp()).returnValue());
        assertTrue(balancer.flows.keys().isEmpty());
    }

    /** Every packet meets a whole table: the one before the swap or the one after. */
    @Test
    void tableIsSwappedAtomically() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread swapper = new Thread(
                () -> {
                    for (int i = 0; i < 100; i++) {
                        allSlots(1 + i % 2);
                    }
                    done.set(true);
                },
                "swapper");
        swapper.start();
        int port = 0;
        while (!done.get()) {
            int real = real(
                    Frame.tcp("198.51.100.7", 1024 + port++ % 60000, VIP, 80).flags(Frame.SYN));
            assertTrue(real == 1 || real == 2);
        }
        swapper.join();
        assertEquals(0, balancer.count(Verdict.DROP_NO_REAL));
        assertEquals(port, balancer.count(Verdict.FORWARD_TABLE));
    }
}
