// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Protocol;
import io.l4lb.test.Frame;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Frames to a director: of few clients, so that flows are met again; most to a service; some with a wrong field, some
 * with flipped bits, some cut off. Whatever {@link NotYet} leaves out is not among them.
 */
final class PacketGenerator {
    private static final List<InetAddress> CLIENTS4 = List.of(ip("198.51.100.7"), ip("198.51.100.8"));
    private static final List<InetAddress> CLIENTS6 = List.of(ip("2001:db8:1::7"), ip("2001:db8:1::8"));
    private static final InetAddress NO_VIP4 = ip("192.0.2.11");
    private static final InetAddress NO_VIP6 = ip("2001:db8::11");
    private static final int[] CLIENT_PORTS = {1024, 40000, 65535};
    private static final int[] TCP_FLAGS = {Frame.ACK, Frame.ACK, 0x18, Frame.SYN, Frame.SYN | Frame.ACK, 0x04, 0xc2};
    private static final int[] TTLS = {64, 64, 64, 64, 64, 255, 0, 1, 2};
    private static final int[] OTHER_PROTOCOLS = {2, 33, 47, 50, 132, 136};
    private static final int LONGEST = 3000;

    private final Random random;
    private final Scenario scenario;
    private final QuicPayloads quic;

    PacketGenerator(Random random, Scenario scenario) {
        this.random = random;
        this.scenario = scenario;
        this.quic = new QuicPayloads(random);
    }

    byte[] next() {
        byte[] frame = any();
        while (NotYet.leftOut(frame)) {
            frame = any();
        }
        return frame;
    }

    private byte[] any() {
        byte[] frame = packet().frame();
        return switch (random.nextInt(16)) {
            case 0, 1 -> flipped(frame);
            case 2 -> Arrays.copyOf(frame, RawPacket.ETHERNET + random.nextInt(frame.length - RawPacket.ETHERNET + 1));
            case 3 -> Arrays.copyOf(frame, Math.min(frame.length, RawPacket.ETHERNET + random.nextInt(90)));
            case 4 -> noise(frame);
            default -> frame;
        };
    }

    private RawPacket packet() {
        List<ServiceProgram> programs = List.copyOf(scenario.programs().values());
        ServiceProgram program = programs.get(random.nextInt(programs.size()));
        ServiceKey key = program.key();
        boolean ipv4 = key.vip() instanceof Inet4Address;
        InetAddress vip = !rarely() ? key.vip() : ipv4 ? NO_VIP4 : NO_VIP6;
        InetAddress client = (ipv4 ? CLIENTS4 : CLIENTS6).get(random.nextInt(2));
        if (rarely()) {
            int protocol = OTHER_PROTOCOLS[random.nextInt(OTHER_PROTOCOLS.length)];
            return header(new RawPacket(client, vip, protocol, bytes(random.nextInt(60))));
        }
        int port = rarely() ? random.nextInt(65536) : key.port();
        int clientPort = one(CLIENT_PORTS);
        byte[] transport = key.protocol() == Protocol.TCP
                ? Transport.tcp(clientPort, port, rarely() ? random.nextInt(16) : 5, one(TCP_FLAGS), payload(ipv4, 20))
                : Transport.udp(clientPort, port, wrong(), datagram(program, ipv4));
        return header(new RawPacket(client, vip, key.protocol().number(), transport));
    }

    private RawPacket header(RawPacket packet) {
        packet.ttl(one(TTLS)).trafficClass(rarely() ? random.nextInt(256) : 0);
        packet.ipv4Flags(random.nextBoolean() ? 0x4000 : 0).checksumError(rarely() ? random.nextInt(65536) : 0);
        packet.extraLength(wrong()).padding(rarely() ? bytes(random.nextInt(30)) : new byte[0]);
        return rarely() && packet.isIpv4() ? packet.options(bytes(4 * random.nextInt(11))) : packet;
    }

    private byte[] datagram(ServiceProgram program, boolean ipv4) {
        return random.nextInt(3) == 0 ? payload(ipv4, Transport.UDP_HEADER) : quic.next(program.packetKey());
    }

    /** Short, or so long that the packet just fits the tunnel or just does not, towards either family of reals. */
    private byte[] payload(boolean ipv4, int header) {
        if (random.nextInt(4) > 0) {
            return bytes(random.nextInt(40));
        }
        int outer = random.nextBoolean() ? 20 : 40;
        int fits = scenario.settings().mtu() - outer - (ipv4 ? 20 : 40) - header;
        return bytes(random.nextInt(6) == 0 ? random.nextInt(LONGEST) : fits - 3 + random.nextInt(7));
    }

    /** By how much a length is wrong: mostly not at all. */
    private int wrong() {
        return rarely() ? random.nextInt(60) - 30 : random.nextInt(60) == 0 ? random.nextInt(65536) : 0;
    }

    private byte[] flipped(byte[] frame) {
        int reach = random.nextBoolean() ? Math.min(frame.length, 80) : frame.length;
        for (int i = random.nextInt(3); i >= 0; i--) {
            frame[random.nextInt(reach)] ^= (byte) (1 << random.nextInt(8));
        }
        return frame;
    }

    /** Any bytes, behind the MACs or behind addresses and ports. */
    private byte[] noise(byte[] frame) {
        int from = random.nextBoolean() ? 12 : Math.min(frame.length, RawPacket.ETHERNET + 44);
        byte[] noise = bytes(frame.length - from);
        System.arraycopy(noise, 0, frame, from, noise.length);
        return frame;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private int one(int[] of) {
        return of[random.nextInt(of.length)];
    }

    private boolean rarely() {
        return random.nextInt(20) == 0;
    }
}
