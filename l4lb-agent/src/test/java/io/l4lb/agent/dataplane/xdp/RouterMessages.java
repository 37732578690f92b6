// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.hashing.packet.IpProtocol;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a router says to the director about a tunnel packet, some with a mistake: mostly that it was too big. */
final class RouterMessages {
    private static final int UDP_HEADER = 8;
    private static final int GUE_PORT = 6080;
    /** An address that is all zeroes, as in the map where there is none, but for its last bit. */
    private static final InetAddress LOOPBACK6 = ip("::1");

    private static final int LATER = 0x2001;
    private static final int[] MTUS = {1400, 1400, 1480, 1500, 1300, 1320, 1280, 1281, 1279, 576, 88, 68, 67, 0, 9000};
    private static final int[] LENGTHS = {1500, 1500, 1460, 9000, 1281, 1280, 69, 68};
    /** By how much the packet is longer than what fits. */
    private static final int[] OVER = {1, 1, 2, 100, 0, -1};

    private final Dice dice;
    private final Scenario scenario;
    private final Addresses addresses;
    private final IcmpPayloads icmp;

    RouterMessages(Dice dice, Scenario scenario, Addresses addresses, IcmpPayloads icmp) {
        this.dice = dice;
        this.scenario = scenario;
        this.addresses = addresses;
        this.icmp = icmp;
    }

    /**
     * A message.
     *
     * @param inner the packet that was in the tunnel; how long it says to be is changed
     */
    RawPacket about(RawPacket inner) {
        boolean ipv4 = dice.oneIn(2);
        boolean gue = dice.oneIn(3);
        int outerHeaders = RawPacket.headerBytes(ipv4) + (gue ? UDP_HEADER : 0);
        int mtu = dice.oneIn(8) ? dice.below(0x10000) : dice.one(MTUS);
        int length = dice.oneIn(3) ? dice.one(LENGTHS) : mtu - outerHeaders + dice.one(OVER);
        inner.extraLength(length - inner.packet().length);
        InetAddress source = source(ipv4);
        RawPacket outer = new RawPacket(source, RandomServices.real(dice, ipv4), carried(inner, gue));
        if (dice.oneIn(30)) {
            outer.ipv4Flags(dice.one(LATER, RawPacket.MORE_FRAGMENTS, 1));
        } else if (dice.oneIn(30)) {
            outer.options(dice.bytes(4));
        }
        byte[] quoted = quote(outer.packet(), outerHeaders + RawPacket.headerBytes(inner.isIpv4()));
        InetAddress router = addresses.router(ipv4, addresses.client(ipv4));
        InetAddress director = dice.rarely() ? elsewhere(ipv4) : source;
        return new RawPacket(router, director, icmp.tooBig(router, director, mtu, quoted));
    }

    private Payload carried(RawPacket inner, boolean gue) {
        byte[] packet = inner.packet();
        if (gue) {
            int port = dice.rarely() ? GUE_PORT + 1 : GUE_PORT;
            return new Payload(IpProtocol.UDP, Transport.udp(dice.below(0x10000), port, 0, packet));
        }
        boolean ipv4 = inner.isIpv4() != dice.oneIn(30);
        return new Payload(dice.oneIn(40) ? dice.below(256) : ipv4 ? IpProtocol.IPV4 : IpProtocol.IPV6, packet);
    }

    /** As much as routers quote: eight bytes behind the header, or as much as there is room for; or anything. */
    private byte[] quote(byte[] packet, int headers) {
        int room = dice.one(548, 1232, 2040, 2041, 1400);
        return switch (dice.below(9)) {
            case 0, 1, 2 -> Arrays.copyOf(packet, headers + 8);
            case 3 -> Arrays.copyOf(packet, headers + dice.below(64));
            case 4 -> Arrays.copyOf(packet, dice.below(packet.length + 1));
            // What is less is filled up with zeroes by some (RFC 4884).
            case 5 -> Arrays.copyOf(packet, dice.oneIn(2) ? 128 : room);
            default -> Arrays.copyOf(packet, Math.min(packet.length, room));
        };
    }

    /** An address of which tunnel packets may come, or one beside them. */
    private InetAddress source(boolean ipv4) {
        Optional<InetAddress> source = hop(ipv4).source();
        if (source.isEmpty()) {
            return ipv4 || dice.oneIn(2) ? elsewhere(ipv4) : LOOPBACK6;
        }
        byte[] bytes = source.get().getAddress();
        int bits = scenario.spreadBits(ipv4);
        int varied = dice.below(1 << bits) ^ (dice.rarely() ? 1 << bits : 0);
        bytes[bytes.length - 1] ^= (byte) varied;
        bytes[bytes.length - 2] ^= (byte) (varied >>> 8);
        bytes[bytes.length - 3] ^= (byte) (varied >>> 16);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private NextHop hop(boolean ipv4) {
        return ipv4 ? scenario.settings().ipv4() : scenario.settings().ipv6();
    }

    private InetAddress elsewhere(boolean ipv4) {
        List<InetAddress> vips = scenario.programs().keySet().stream()
                .map(key -> key.vip())
                .filter(vip -> RawPacket.isIpv4(vip) == ipv4)
                .toList();
        return dice.oneIn(2) || vips.isEmpty() ? addresses.client(ipv4) : addresses.vip(dice.one(vips));
    }
}
