// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.BiConsumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HeaderTest {
    /** From 192.0.2.1 to 198.51.100.7, UDP, DSCP 46, with a router alert, MF, offset 1480. */
    private static final String IPV4 = "46b80064" + "beef20b9" + "40110000" + "c0000201" + "c6336407" + "94040000";

    /** From 2001:db8::1 to 2001:db8:ffff::7, traffic class 0xb9, a later fragment of TCP. */
    private static final String IPV6 = "6b912345" + "0010" + "2c" + "40"
            + "20010db8000000000000000000000001" + "20010db8ffff00000000000000000007"
            + "0600" + "05a9" + "89abcdef";

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    @Test
    void ipv4() {
        byte[] bytes = bytes(IPV4);
        Ipv4 ip = Ipv4.read(bytes, 0, bytes.length).orElseThrow();
        assertEquals(24, ip.transportAt());
        assertEquals(100, ip.totalLength());
        assertEquals(0xb8, ip.trafficClass());
        assertEquals(64, ip.ttl());
        assertEquals(IpProtocol.UDP, ip.protocol());
        assertEquals("192.0.2.1", ip.source().getHostAddress());
        assertEquals("198.51.100.7", ip.destination().getHostAddress());
        assertEquals(Optional.of(new Fragment(0xbeef, 1480, IpProtocol.UDP)), ip.fragment());
        assertFalse(ip.mustNotBeFragmented());
        assertEquals(Optional.empty(), Ipv4.read(bytes, 0, bytes.length - 1));
        assertEquals(Optional.empty(), Ipv4.read(bytes, 1, bytes.length));
    }

    @Test
    void ipv6() {
        byte[] bytes = bytes(IPV6);
        Ipv6 ip = Ipv6.read(bytes, 0, bytes.length).orElseThrow();
        assertEquals(48, ip.transportAt());
        assertEquals(56, ip.totalLength());
        assertEquals(0xb9, ip.trafficClass());
        assertEquals(64, ip.ttl());
        assertEquals(IpProtocol.TCP, ip.protocol());
        assertTrue(ip.isComplete());
        assertEquals("2001:db8:0:0:0:0:0:1", ip.source().getHostAddress());
        assertEquals(Optional.of(new Fragment(0x89abcdefL, 1448, IpProtocol.TCP)), ip.fragment());
        assertFalse(Ipv6.read(bytes, 0, bytes.length - 1).orElseThrow().isComplete());
        assertEquals(Optional.empty(), Ipv6.read(bytes, 0, 39));
    }

    @Test
    void tags() {
        byte[] frame = bytes("02000000000b02000000000a" + "88a80007" + "81000064" + "0800");
        Ethernet ethernet = Ethernet.read(frame).orElseThrow();
        assertEquals(Ethernet.IPV4, ethernet.type());
        assertEquals(22, ethernet.length());
        assertEquals("02:00:00:00:00:0b", ethernet.destination().toString());
        assertEquals("02:00:00:00:00:0a", ethernet.source().toString());
        for (int length = 0; length < frame.length; length++) {
            assertEquals(Optional.empty(), Ethernet.read(Arrays.copyOf(frame, length)));
        }
        byte[] other = new byte[22];
        MacAddress mac = new MacAddress(0x020000000401L);
        ethernet.writeWithTags(other, mac, ethernet.destination(), Ethernet.IPV6);
        assertEquals(
                "02000000040102000000000b88a800078100006486dd", HexFormat.of().formatHex(other));
    }

    @Test
    void macAddresses() {
        byte[] six = bytes("feffffffff01");
        assertEquals(
                "feffffffff01", HexFormat.of().formatHex(MacAddress.ofBytes(six).toBytes()));
        assertThrows(IllegalArgumentException.class, () -> MacAddress.ofBytes(new byte[5]));
        assertThrows(IllegalArgumentException.class, () -> new MacAddress(1L << 48));
    }

    @Test
    void portsOfProtocolsThatHaveThem() {
        byte[] bytes = bytes("c35001bb");
        for (int protocol = 0; protocol < 256; protocol++) {
            boolean ports = protocol == 6 || protocol == 17 || protocol == 33 || protocol == 132 || protocol == 136;
            Ports expected = ports ? new Ports(50000, 443) : Ports.NONE;
            assertEquals(Optional.of(expected), Ports.read(bytes, protocol, 0, 4));
            assertEquals(!ports, Ports.read(bytes, protocol, 0, 3).isPresent());
        }
    }

    @Test
    void icmpErrors() {
        for (int type = 0; type < 256; type++) {
            byte[] bytes = new byte[8];
            bytes[0] = (byte) type;
            Icmp four = Icmp.read(bytes, 0, 8).orElseThrow();
            assertEquals(type == 3 || type == 11, four.reportsLoss());
            assertEquals(type == 3 || type == 4 || type == 5 || type == 11 || type == 12, four.isError());
            assertEquals(type == 8, four.isEchoRequest());
            Icmpv6 six = Icmpv6.read(bytes, 0, 8).orElseThrow();
            assertEquals(type >= 1 && type <= 3, six.reportsLoss());
            assertEquals(type < 128 || type == 137, six.isError());
            assertEquals(type == 128, six.isEchoRequest());
        }
    }

    @Property
    void readersTakeAnyBytesWithinTheirBounds(
            @ForAll @Size(max = 100) byte[] bytes,
            @ForAll @IntRange(max = 100) int from,
            @ForAll @IntRange(max = 100) int upTo) {
        int to = Math.min(upTo, bytes.length);
        int at = Math.min(from, to);
        readAll(bytes, at, to);
        if (at < to) {
            for (byte first : new byte[] {0x45, 0x4f, 0x60}) {
                bytes[at] = first;
                readAll(bytes, at, to);
            }
        }
    }

    private static void readAll(byte[] bytes, int at, int to) {
        Ethernet.read(bytes).ifPresent(Ethernet::type);
        BiConsumer<Integer, Integer> ip =
                (type, start) -> IpHeader.read(bytes, type, start, to).ifPresent(header -> {
                    assertTrue(header.transportAt() <= to);
                    header.source();
                    header.destination();
                    header.fragment();
                    IcmpHeader.read(bytes, header, to).ifPresent(IcmpHeader::isError);
                });
        ip.accept(Ethernet.IPV4, at);
        ip.accept(Ethernet.IPV6, at);
        Tcp.read(bytes, at, to).ifPresent(tcp -> tcp.clampMss(0));
        Udp.read(bytes, at, to).ifPresent(Udp::length);
        Ports.read(bytes, IpProtocol.TCP, at, to);
    }
}
