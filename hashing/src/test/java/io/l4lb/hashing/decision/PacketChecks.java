// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * Whether the lengths and checksums of a frame are right, tunnels opened. Shares nothing with the model: a run of 16-bit
 * words, read as one big number, is a multiple of 65535 exactly when its ones' complement sum is.
 */
final class PacketChecks {
    private static final BigInteger MODULUS = BigInteger.valueOf(0xffff);

    private PacketChecks() {}

    static void assertRight(byte[] frame) {
        int at = 12;
        while (u16(frame, at) == 0x8100 || u16(frame, at) == 0x88a8) {
            at += 4;
        }
        byte[] packet = Arrays.copyOfRange(frame, at + 2, frame.length);
        switch (u16(frame, at)) {
            case 0x0800 -> checkIpv4(packet);
            case 0x86dd -> checkIpv6(packet);
            default -> throw new AssertionError("no IP packet");
        }
    }

    private static void checkIpv4(byte[] packet) {
        assertEquals(4, packet[0] >>> 4);
        int header = (packet[0] & 15) * 4;
        int total = u16(packet, 2);
        assertTrue(header >= 20 && total >= header && total <= packet.length, "IPv4 lengths");
        assertTrue(isZero(Arrays.copyOf(packet, header)), "IPv4 checksum");
        boolean fragment = (u16(packet, 6) & 0x3fff) != 0;
        if (!fragment) {
            byte[] payload = Arrays.copyOfRange(packet, header, total);
            checkPayload(packet[9] & 0xff, payload, Arrays.copyOfRange(packet, 12, 20));
        }
    }

    private static void checkIpv6(byte[] packet) {
        assertEquals(6, packet[0] >>> 4);
        int total = 40 + u16(packet, 4);
        assertTrue(total <= packet.length, "IPv6 length");
        int protocol = packet[6] & 0xff;
        int at = 40;
        while (protocol == 0 || protocol == 43 || protocol == 60 || protocol == 44) {
            if (protocol == 44 && (u16(packet, at + 2) & 0xfff9) != 0) {
                return;
            }
            int length = protocol == 44 ? 8 : 8 * (1 + (packet[at + 1] & 0xff));
            protocol = packet[at] & 0xff;
            at += length;
        }
        checkPayload(protocol, Arrays.copyOfRange(packet, at, total), Arrays.copyOfRange(packet, 8, 40));
    }

    private static void checkPayload(int protocol, byte[] payload, byte[] addresses) {
        switch (protocol) {
            case 1 -> assertTrue(isZero(payload), "ICMP checksum");
            case 4 -> checkIpv4(payload);
            case 6, 58 -> assertTrue(isZero(withPseudoHeader(protocol, payload, addresses)), "checksum of " + protocol);
            case 17 -> checkUdp(payload, addresses);
            case 41 -> checkIpv6(payload);
            default -> throw new AssertionError("protocol " + protocol);
        }
    }

    private static void checkUdp(byte[] payload, byte[] addresses) {
        assertEquals(payload.length, u16(payload, 4), "UDP length");
        if (u16(payload, 2) == 6080) {
            assertEquals(0, u16(payload, 6), "GUE has no checksum");
            byte[] inner = Arrays.copyOfRange(payload, 8, payload.length);
            if (inner[0] >>> 4 == 4) {
                checkIpv4(inner);
            } else {
                checkIpv6(inner);
            }
        } else {
            assertTrue(isZero(withPseudoHeader(17, payload, addresses)), "UDP checksum");
        }
    }

    private static byte[] withPseudoHeader(int protocol, byte[] payload, byte[] addresses) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(addresses);
        all.writeBytes(new byte[] {(byte) (payload.length >>> 8), (byte) payload.length, 0, (byte) protocol});
        all.writeBytes(payload);
        return all.toByteArray();
    }

    private static boolean isZero(byte[] words) {
        byte[] even = Arrays.copyOf(words, words.length + words.length % 2);
        return new BigInteger(1, even).mod(MODULUS).signum() == 0;
    }

    private static int u16(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
    }
}
