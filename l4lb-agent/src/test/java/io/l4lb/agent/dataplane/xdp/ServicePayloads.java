// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.test.Frame;
import java.nio.ByteBuffer;

/** What clients send to a service: segments, datagrams, or what other protocols have; sometimes with a mistake. */
final class ServicePayloads {
    private static final int[] CLIENT_PORTS = {1024, 40000, 65535, 0};
    private static final int[] PORTS = {80, 443, 80, 443, 8080, 0};
    private static final int[] TCP_FLAGS = {
        Frame.ACK, Frame.ACK, Frame.ACK, Frame.SYN, Frame.SYN, Frame.SYN | Frame.ACK, 0x18, 0x11, 0x01, 0x04, 0xc2
    };
    private static final int[] PROTOCOLS = {
        IpProtocol.TCP, IpProtocol.UDP, IpProtocol.DCCP, IpProtocol.SCTP, IpProtocol.UDP_LITE, 47, 50, 51, 59, 2, 115
    };
    /** What one family has as an extension header or as its ICMP the other carries like anything else. */
    private static final int[] STRANGE = {0, 1, 43, 44, 58, 60, 4, 41, 255};

    private static final int LONGEST = 2600;

    private final Dice dice;
    private final int mtu;
    private final QuicPayloads quic;
    private final TcpOptions options;

    /** @param mtu of the way to the reals */
    ServicePayloads(Dice dice, int mtu) {
        this.dice = dice;
        this.mtu = mtu;
        this.quic = new QuicPayloads(dice.random());
        this.options = new TcpOptions(dice);
    }

    /** Something for the service; rarely for another port or of another protocol. */
    Payload next(ServiceProgram program, boolean ipv4) {
        ServiceKey key = program.key();
        boolean other = key.protocol() == Protocol.ANY || dice.rarely();
        int protocol = other
                ? dice.one(dice.oneIn(6) ? STRANGE : PROTOCOLS)
                : key.protocol().number();
        int port = key.port() == Frontend.ANY_PORT ? dice.one(PORTS) : key.port();
        if (dice.rarely()) {
            port = dice.below(0x10000);
        }
        int clientPort = dice.one(CLIENT_PORTS);
        return switch (protocol) {
            case IpProtocol.TCP -> tcp(clientPort, port, ipv4);
            case IpProtocol.UDP -> udp(clientPort, port, datagram(program, ipv4));
            default -> other(protocol, clientPort, port, ipv4);
        };
    }

    private Payload tcp(int clientPort, int port, boolean ipv4) {
        int flags = dice.one(TCP_FLAGS);
        byte[] optionBytes = (flags & Frame.SYN) != 0 || dice.rarely() ? options.next() : new byte[0];
        int words = dice.rarely() ? dice.below(16) : (Transport.TCP_HEADER + optionBytes.length) / 4;
        byte[] data = data(ipv4, Transport.TCP_HEADER + optionBytes.length);
        ByteBuffer behind = ByteBuffer.allocate(optionBytes.length + data.length);
        byte[] segment = Transport.tcp(
                clientPort,
                port,
                words,
                flags,
                behind.put(optionBytes).put(data).array());
        int checksum = dice.one(0xabcd, 0xabcd, 0, 0xffff, 0xfffe, 1, dice.below(0x10000));
        return new Payload(
                IpProtocol.TCP,
                ByteBuffer.wrap(segment).putShort(16, (short) checksum).array());
    }

    /** A datagram; rarely its own length is wrong. */
    Payload udp(int clientPort, int port, byte[] data) {
        return new Payload(IpProtocol.UDP, Transport.udp(clientPort, port, wrong(), data));
    }

    private byte[] datagram(ServiceProgram program, boolean ipv4) {
        return dice.oneIn(3) ? data(ipv4, Transport.UDP_HEADER) : quic.next(program.packetKey());
    }

    private Payload other(int protocol, int clientPort, int port, boolean ipv4) {
        byte[] bytes = data(ipv4, 0);
        if (Ports.areIn(protocol) && bytes.length >= Ports.BYTES) {
            ByteBuffer.wrap(bytes).putShort((short) clientPort).putShort((short) port);
        }
        return new Payload(protocol, bytes);
    }

    /**
     * Data: short, or so long that the packet just fits some tunnel or just does not.
     *
     * @param header bytes between the IP header and the data
     */
    byte[] data(boolean ipv4, int header) {
        if (!dice.oneIn(5)) {
            return dice.bytes(dice.below(40));
        }
        int fits = mtu - dice.one(20, 28, 40, 48) - RawPacket.headerBytes(ipv4) - header;
        return dice.bytes(dice.oneIn(6) ? dice.below(LONGEST) : Math.max(0, fits - 3 + dice.below(7)));
    }

    /** By how much a length is wrong: mostly not at all. */
    int wrong() {
        return dice.rarely() ? dice.below(60) - 30 : dice.oneIn(60) ? dice.below(0x10000) : 0;
    }
}
