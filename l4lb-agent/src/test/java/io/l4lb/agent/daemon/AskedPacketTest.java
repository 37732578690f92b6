// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Golden frames, put together by hand; their checksums by another program. */
class AskedPacketTest {
    private static final InetSocketAddress CLIENT4 = new InetSocketAddress(ip("10.1.0.2"), 1234);
    private static final InetSocketAddress VIP4 = new InetSocketAddress(ip("192.0.2.10"), 80);
    private static final InetSocketAddress CLIENT6 = new InetSocketAddress(ip("2001:db8::2"), 1234);
    private static final InetSocketAddress VIP6 = new InetSocketAddress(ip("2001:db8::10"), 53);

    private static final String MACS = "020000000001" + "020000000002";

    private static void assertFrame(String expected, AskedPacket packet) {
        assertEquals(expected, HexFormat.of().formatHex(packet.frame()));
    }

    @Test
    void tcpSynOverIpv4() {
        assertFrame(
                MACS + "0800"
                        + "45000028" + "00004000" + "4006" + "6ec3" + "0a010002" + "c000020a"
                        + "04d20050" + "00000000" + "00000000" + "5002ffff" + "deb3" + "0000",
                new AskedPacket(CLIENT4, VIP4, 6, true));
    }

    @Test
    void tcpAckOverIpv4() {
        assertFrame(
                MACS + "0800"
                        + "45000028" + "00004000" + "4006" + "6ec3" + "0a010002" + "c000020a"
                        + "04d20050" + "00000000" + "00000000" + "5010ffff" + "dea5" + "0000",
                new AskedPacket(CLIENT4, VIP4, 6, false));
    }

    @Test
    void udpOverIpv6() {
        assertFrame(
                MACS + "86dd"
                        + "60000000" + "0008" + "11" + "40"
                        + "20010db8000000000000000000000002" + "20010db8000000000000000000000010"
                        + "04d20035" + "0008" + "9f53",
                new AskedPacket(CLIENT6, VIP6, 17, false));
    }

    @Test
    void sctpHasPorts() {
        assertFrame(
                MACS + "0800" + "45000020" + "00004000" + "4084" + "6e4d" + "0a010002" + "c000020a" + "04d20050"
                        + "00000000" + "00000000",
                new AskedPacket(CLIENT4, VIP4, 132, false));
    }

    @Test
    void anythingElse() {
        assertFrame(
                MACS + "0800" + "45000018" + "00004000" + "402f" + "6eaa" + "0a010002" + "c000020a" + "00000000",
                new AskedPacket(CLIENT4, VIP4, 47, true));
    }
}
