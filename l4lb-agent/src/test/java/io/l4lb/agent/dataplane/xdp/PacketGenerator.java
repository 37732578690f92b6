// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.hashing.packet.IpProtocol;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Frames to a director: of few clients, so that flows are met again; most to a service; some with a wrong field, some
 * with flipped bits, some cut off.
 */
final class PacketGenerator {
    /** What a frame was made as. */
    enum Kind {
        PLAIN,
        FRAGMENT,
        ICMP_ERROR,
        ECHO,
        /** Itself a packet in a packet, to a VIP. */
        TUNNELLED,
        /** A router's, about a packet of the director's in a tunnel. */
        ABOUT_TUNNEL
    }

    private static final int RECENT = 24;
    private static final int WAITING = 12;
    private static final int GUE_PORT = 6080;
    private static final int GRE = 47;
    private static final int[] TTLS = {64, 64, 64, 64, 64, 63, 64, 64, 65, 64, 255, 254, 128, 127, 0, 1, 2, 3};
    private static final int[] CHECKSUMS = {0, 0xffff, 0xfffe, 0xfeff, 0xfefe, 0xff00, 0x00ff, 0x0100};

    private final Dice dice;
    private final Scenario scenario;
    private final Addresses addresses;
    private final ServicePayloads payloads;
    private final IcmpPayloads icmp;
    private final RouterMessages routers;
    private final ExtensionChains chains;
    private final FragmentStreams fragments;
    private final Mutations mutations;
    /** Sent before, without options and extension headers; errors are about these. */
    private final List<RawPacket> recent = new ArrayList<>();
    /** Fragments that come later. */
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    private Kind kind = Kind.PLAIN;

    PacketGenerator(Random random, Scenario scenario) {
        this.dice = new Dice(random);
        this.scenario = scenario;
        this.addresses = new Addresses(dice);
        this.payloads = new ServicePayloads(dice, scenario.settings().mtu());
        this.icmp = new IcmpPayloads(dice);
        this.routers = new RouterMessages(dice, scenario, addresses, icmp);
        this.chains = new ExtensionChains(dice);
        this.fragments = new FragmentStreams(dice);
        this.mutations = new Mutations(dice);
    }

    /** Of what kind the last frame is. */
    Kind kind() {
        return kind;
    }

    /** One frame. */
    byte[] next() {
        if (waiting.size() > WAITING || (!waiting.isEmpty() && dice.oneIn(2))) {
            kind = Kind.FRAGMENT;
            return mutations.applied(waiting.remove());
        }
        kind = switch (dice.below(18)) {
            case 0, 1 -> Kind.FRAGMENT;
            case 2, 3, 4 -> Kind.ICMP_ERROR;
            case 5 -> Kind.ECHO;
            case 6 -> Kind.TUNNELLED;
            case 7, 8 -> Kind.ABOUT_TUNNEL;
            default -> Kind.PLAIN;
        };
        return mutations.applied(
                switch (kind) {
                    case PLAIN -> dressed(plain()).frame();
                    case FRAGMENT -> firstOfPieces();
                    case ICMP_ERROR -> error().frame();
                    case ECHO -> dressed(echo()).frame();
                    case TUNNELLED -> dressed(tunnelled()).frame();
                    case ABOUT_TUNNEL -> dressed(aboutTunnel()).frame();
                });
    }

    private ServiceProgram program() {
        return dice.one(List.copyOf(scenario.programs().values()));
    }

    private RawPacket plain() {
        ServiceProgram program = program();
        boolean ipv4 = RawPacket.isIpv4(program.key().vip());
        RawPacket packet = new RawPacket(
                addresses.client(ipv4), addresses.vip(program.key().vip()), payloads.next(program, ipv4));
        recent.add(packet);
        if (recent.size() > RECENT) {
            recent.remove(0);
        }
        return packet;
    }

    private RawPacket echo() {
        InetAddress vip = program().key().vip();
        InetAddress client = addresses.client(RawPacket.isIpv4(vip));
        byte[] data = payloads.data(RawPacket.isIpv4(vip), 8);
        return new RawPacket(client, addresses.vip(vip), icmp.echo(client, vip, data));
    }

    /** An error about a packet of a real to a client: of a flow that is known, mostly. */
    private RawPacket error() {
        RawPacket about = dice.oneIn(12) ? echo() : !recent.isEmpty() && !dice.oneIn(4) ? dice.one(recent) : plain();
        boolean ipv4 = about.isIpv4();
        RawPacket answer = dice.rarely() ? about : about.answered();
        List<RawPacket> pieces = dice.oneIn(4) ? fragments.pieces(answer) : List.of();
        RawPacket quoted = behindHeaders(pieces.isEmpty() ? answer : dice.one(pieces));
        byte[] packet = quoted.packet();
        int header = RawPacket.headerBytes(ipv4) + (ipv4 ? 0 : dice.one(0, 0, 8, 16));
        InetAddress sender = addresses.router(ipv4, about.source());
        InetAddress vip = addresses.vip(about.destination());
        return dressed(new RawPacket(sender, vip, icmp.error(sender, vip, icmp.quote(packet, header))));
    }

    private RawPacket tunnelled() {
        RawPacket inner = behindHeaders(plain());
        ServiceProgram outer = program();
        InetAddress vip = outer.key().vip();
        int protocol = inner.isIpv4() ? IpProtocol.IPV4 : IpProtocol.IPV6;
        Payload payload =
                switch (dice.below(3)) {
                    case 0 -> payloads.udp(dice.below(0x10000), GUE_PORT, inner.packet());
                    case 1 -> new Payload(GRE, gre(inner));
                    default -> new Payload(protocol, inner.packet());
                };
        return new RawPacket(addresses.client(RawPacket.isIpv4(vip)), vip, payload);
    }

    private RawPacket aboutTunnel() {
        RawPacket sent = dice.oneIn(12) ? echo() : dice.oneIn(12) ? error() : plain();
        RawPacket inner = behindHeaders(new RawPacket(sent.source(), sent.destination(), sent.payload()));
        if (inner.isIpv4()) {
            inner.ipv4Flags(dice.one(RawPacket.DO_NOT_FRAGMENT, 0, RawPacket.DO_NOT_FRAGMENT, 0, dice.below(0x10000)));
        }
        return routers.about(inner);
    }

    private static byte[] gre(RawPacket inner) {
        byte[] packet = inner.packet();
        short type = (short) (inner.isIpv4() ? 0x0800 : 0x86dd);
        return ByteBuffer.allocate(4 + packet.length)
                .putShort(2, type)
                .position(4)
                .put(packet)
                .array();
    }

    private byte[] firstOfPieces() {
        RawPacket whole = dice.oneIn(12) ? echo() : plain();
        if (whole.payload().length() < 100 && !dice.oneIn(3)) {
            whole = new RawPacket(
                    whole.source(), whole.destination(), whole.payload().longer(dice.bytes(dice.below(200))));
        }
        for (RawPacket piece : fragments.pieces(whole)) {
            waiting.add(outside(piece).frame());
        }
        return waiting.isEmpty() ? dressed(whole).frame() : waiting.remove();
    }

    /** With options or extension headers, sometimes. */
    private RawPacket behindHeaders(RawPacket packet) {
        if (packet.isIpv4()) {
            return dice.oneIn(6) ? packet.options(dice.bytes(4 * dice.below(11))) : packet;
        }
        return dice.oneIn(4)
                ? new RawPacket(packet.source(), packet.destination(), chains.around(packet.payload()))
                : packet;
    }

    private RawPacket dressed(RawPacket packet) {
        RawPacket dressed = behindHeaders(packet);
        if (dressed.isIpv4()) {
            int flags = dice.oneIn(2) ? RawPacket.DO_NOT_FRAGMENT : 0;
            dressed.ipv4Flags(dice.oneIn(30) ? flags | dice.one(0x8000, 0x2000, 1, dice.below(0x10000)) : flags);
        }
        return outside(dressed);
    }

    /** What has nothing to do with the payload. */
    private RawPacket outside(RawPacket packet) {
        packet.ttl(dice.one(TTLS)).trafficClass(dice.rarely() ? dice.below(256) : 0);
        packet.extraLength(payloads.wrong()).padding(dice.rarely() ? dice.bytes(dice.below(30)) : new byte[0]);
        return (dice.oneIn(10) ? packet.checksum(dice.one(CHECKSUMS)) : packet).tags(tags());
    }

    private byte[] tags() {
        int count = dice.oneIn(4) ? dice.one(1, 1, 2, 2, 3) : 0;
        ByteBuffer tags = ByteBuffer.allocate(4 * count);
        while (tags.hasRemaining()) {
            int type = dice.rarely() ? dice.one(0x9100, 0x0800, 0x86dd) : dice.one(0x8100, 0x88a8);
            tags.putShort((short) type).putShort((short) dice.below(0x10000));
        }
        return tags.array();
    }
}
