// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.MacAddress;
import io.l4lb.hashing.packet.Tcp;
import java.net.InetAddress;
import java.util.Optional;

/** Steps 7 and 8: the packet on its way to its real, or why it cannot go. */
final class Forwarding {
    private final Tunnel tunnel;
    private final NextHops nextHops;
    private final Switches switches;

    Forwarding(Settings settings) {
        tunnel = settings.tunnel();
        nextHops = settings.nextHops();
        switches = settings.switches();
    }

    /** In the order of the checks: no real, time to live, too big, next hop. */
    PacketDecision forward(Packet packet, Flow flow, Choice choice) {
        Optional<InetAddress> real = Optional.ofNullable(choice.real()).flatMap(flow.service()::tunnelEnd);
        if (real.isEmpty()) {
            return PacketDecision.of(Verdict.DROP_NO_REAL, flow, choice);
        }
        if (packet.ip().ttl() <= 1) {
            return PacketDecision.of(Verdict.DROP_TTL, flow, choice);
        }
        Encapsulation encapsulation = flow.service().encapsulation();
        int fits = tunnel.mtu() - encapsulation.overhead(real.get());
        if (packet.ip().totalLength() > fits) {
            return tooBig(packet, flow, choice, fits);
        }
        Optional<OuterSource> source = tunnel.source(real.get());
        Optional<Gateway> gateway = nextHops.towards(real.get());
        if (source.isEmpty() || gateway.isEmpty()) {
            return PacketDecision.of(Verdict.DROP_NO_NEXT_HOP, flow, choice);
        }
        InetAddress outerSource = source.get().forHash(flow.hash());
        OuterHeaders outer = new OuterHeaders(encapsulation, outerSource, real.get());
        return PacketDecision.forwarded(flow, choice, encapsulated(packet, flow, outer, gateway.get()));
    }

    private PacketDecision tooBig(Packet packet, Flow flow, Choice choice, int fits) {
        Optional<byte[]> answer = switches.tooBigAnswers() ? TooBigAnswer.to(packet, fits) : Optional.empty();
        return answer.map(frame -> PacketDecision.answered(Verdict.ANSWER_TOO_BIG, flow, choice, frame))
                .orElseGet(() -> PacketDecision.of(Verdict.DROP_TOO_BIG, flow, choice));
    }

    /** What stood behind the packet stays there. */
    private byte[] encapsulated(Packet packet, Flow flow, OuterHeaders outer, Gateway gateway) {
        MacAddress otherInterface = gateway.otherInterface();
        int at = otherInterface == null ? packet.ethernet().length() : Ethernet.BYTES;
        int innerAt = at + outer.encapsulation().overhead(outer.destination());
        byte[] frame = new byte[innerAt + packet.available()];
        System.arraycopy(packet.frame(), packet.ip().at(), frame, innerAt, packet.available());
        IpHeader inner = IpHeader.read(frame, packet.ip().etherType(), innerAt, frame.length)
                .orElseThrow();
        inner.setTtl(inner.ttl() - 1);
        clampMss(packet, frame, inner);
        int type = Tunnel.isIpv4(outer.destination()) ? Ethernet.IPV4 : Ethernet.IPV6;
        if (otherInterface == null) {
            // Tags stay in front. Our MAC is where the frame came to.
            packet.ethernet()
                    .writeWithTags(frame, gateway.mac(), packet.ethernet().destination(), type);
        } else {
            Ethernet.write(frame, gateway.mac(), otherInterface, type);
        }
        outer.write(frame, at, inner, flow.hash());
        return frame;
    }

    private void clampMss(Packet packet, byte[] frame, IpHeader inner) {
        if (switches.mssClamp() != 0 && inner.protocol() == IpProtocol.TCP && !packet.isLaterFragment()) {
            Tcp.read(frame, inner.transportAt(), frame.length)
                    .filter(Tcp::starts)
                    .ifPresent(tcp -> tcp.clampMss(switches.mssClamp()));
        }
    }
}
