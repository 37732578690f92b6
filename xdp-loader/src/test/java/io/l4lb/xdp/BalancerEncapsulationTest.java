// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The encapsulated frame, byte by byte, in the four combinations of families. */
@Tag("kernel")
class BalancerEncapsulationTest {
    private static final HexFormat HEX = HexFormat.of();

    /** 10.2.0.2 to 10.3.1.2, 100 bytes, DSCP 46 with ECT(0), DF, TTL 64, protocol 4; the checksum by hand. */
    private static final String OUTER4_GOLDEN = "45ba0064" + "00004000" + "4004" + "24d4" + "0a020002" + "0a030102";

    private Balancer balancer;

    @BeforeEach
    void load() {
        Machine.needBpf();
        balancer = new Balancer();
    }

    @AfterEach
    void close() {
        if (balancer != null) {
            balancer.close();
        }
    }

    private static byte[] expected(Frame innerAfter, String real, int trafficClass) {
        byte[] frame = innerAfter.bytes();
        byte[] inner = new byte[frame.length - 14];
        System.arraycopy(frame, 14, inner, 0, inner.length);
        int protocol = inner[0] >> 4 == 4 ? 4 : 41;
        byte[] address = Frame.address(real);
        ByteBuffer out = ByteBuffer.allocate(14 + (address.length == 4 ? 20 : 40) + inner.length);
        boolean ipv4 = address.length == 4;
        out.put(ipv4 ? Balancer.GATEWAY4 : Balancer.GATEWAY6).put(Frame.ownMac());
        out.putShort((short) (ipv4 ? 0x0800 : 0x86dd));
        if (ipv4) {
            out.put((byte) 0x45).put((byte) trafficClass).putShort((short) (20 + inner.length));
            out.putShort((short) 0).putShort((short) 0x4000).put((byte) 64).put((byte) protocol);
            out.putShort((short) 0).put(Frame.address(Balancer.SOURCE4)).put(address);
            out.putShort(24, (short) ~Frame.fold(Frame.sum(out, 14, 20)));
        } else {
            out.putInt(0x60000000 | (trafficClass << 20)).putShort((short) inner.length);
            out.put((byte) protocol)
                    .put((byte) 64)
                    .put(Frame.address(Balancer.SOURCE6))
                    .put(address);
        }
        return out.put(inner).array();
    }

    @ParameterizedTest
    @CsvSource({
        "198.51.100.7, 192.0.2.1, 10.3.1.2",
        "198.51.100.7, 192.0.2.1, fd00:3::2",
        "2001:db8:1::7, 2001:db8::1, 10.3.1.2",
        "2001:db8:1::7, 2001:db8::1, fd00:3::2",
    })
    void encapsulates(String client, String vip, String real) {
        balancer.simple(vip, real);
        TestRun run = balancer.run(
                Frame.tcp(client, 40000, vip, 80).ttl(17).trafficClass(0xb9).payload(33));
        Frame after =
                Frame.tcp(client, 40000, vip, 80).ttl(16).trafficClass(0xb9).payload(33);
        assertEquals(Balancer.XDP_TX, run.returnValue());
        assertEquals(HEX.formatHex(expected(after, real, 0xb9)), HEX.formatHex(run.packet()));
    }

    @Test
    void matchesGoldenHeader() {
        balancer.simple("192.0.2.1", "10.3.1.2");
        TestRun run = balancer.run(Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80)
                .trafficClass(0xba)
                .payload(40));
        assertEquals(OUTER4_GOLDEN, HEX.formatHex(run.packet(), 14, 34));
    }

    @Test
    void takesLengthFromHeaderNotFromFrame() {
        balancer.simple("192.0.2.1", "10.3.1.2");
        TestRun run =
                balancer.run(Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).padding(6));
        assertEquals(60, ByteBuffer.wrap(run.packet()).getShort(16));
    }

    @Test
    void keepsIpOptionsInside() {
        balancer.simple("192.0.2.1", "10.3.1.2");
        TestRun run =
                balancer.run(Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).options(3));
        Frame after =
                Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).options(3).ttl(63);
        assertArrayEquals(expected(after, "10.3.1.2", 0), run.packet());
    }

    /** RFC 1624: the incremental checksum agrees with the full one for every TTL. */
    @Test
    void fixesChecksumForEveryTtl() {
        balancer.simple("192.0.2.1", "10.3.1.2");
        for (int ttl = 2; ttl <= 255; ttl++) {
            TestRun run = balancer.run(
                    Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).ttl(ttl));
            Frame after = Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).ttl(ttl - 1);
            assertArrayEquals(expected(after, "10.3.1.2", 0), run.packet());
        }
    }
}
