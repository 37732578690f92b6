// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.hashing.packet.Tcp;
import java.util.Optional;

/**
 * The packet decision. Of several reasons the first counts, in this order: not IP, no service, malformed, no real, time
 * to live, too big, next hop. Only packets of a service are ever dropped; what is passed is untouched.
 *
 * <p>Takes any bytes and never fails. For one thread, if the memories are.
 */
public final class PacketModel {
    private final Services services;
    private final Settings settings;
    private final PathMtu pathMtu;
    private final QuotedFlows quotedFlows;
    private final Fragments fragments;
    private final Scheduling scheduling;
    private final Forwarding forwarding;

    /** A director with these services and settings, that remembers in these memories. */
    public PacketModel(Services services, Settings settings, Memory<ServiceFlow> flows, Memory<FragmentKey> fragments) {
        this.services = services;
        this.settings = settings;
        this.pathMtu = new PathMtu(services, settings.tunnel());
        this.quotedFlows = new QuotedFlows(services, settings.seed());
        this.fragments = new Fragments(fragments);
        this.scheduling = new Scheduling(flows);
        this.forwarding = new Forwarding(settings);
    }

    /**
     * What becomes of a frame.
     *
     * @param frame from the Ethernet header on, without the frame check sequence; is not changed
     */
    public PacketDecision decide(byte[] frame) {
        Optional<Packet> read = Packet.read(frame);
        if (read.isEmpty()) {
            return PacketDecision.of(Verdict.PASS_NOT_IP);
        }
        Packet packet = read.get();
        if (!services.isVip(packet.vip())) {
            return decideOthers(packet);
        }
        Optional<byte[]> echo = settings.switches().echoReplies() ? EchoReply.to(packet) : Optional.empty();
        if (echo.isPresent()) {
            return PacketDecision.answered(Verdict.ANSWER_ECHO, echo.get());
        }
        Optional<Flow> quoted = quotedFlows.of(packet);
        if (quoted.isPresent()) {
            return decideError(packet, quoted.get());
        }
        return packet.isLaterFragment() ? decideLaterFragment(packet) : decideWhole(packet);
    }

    /** A packet to no VIP: of no interest, unless it is about a tunnel packet. */
    private PacketDecision decideOthers(Packet packet) {
        Optional<byte[]> answer = settings.switches().tooBigAnswers() ? pathMtu.answer(packet) : Optional.empty();
        return answer.map(frame -> PacketDecision.answered(Verdict.ANSWER_PATH_MTU, frame))
                .orElseGet(() -> PacketDecision.of(Verdict.PASS_NO_SERVICE));
    }

    /** An ICMP error, which goes to the real whose packet it quotes. */
    private PacketDecision decideError(Packet packet, Flow flow) {
        return Soundness.isIpMalformed(packet)
                ? PacketDecision.of(Verdict.DROP_MALFORMED, flow.service())
                : forwarding.forward(packet, flow, scheduling.look(flow));
    }

    private PacketDecision decideLaterFragment(Packet packet) {
        IpHeader ip = packet.ip();
        Optional<Remembered> first = fragments.recall(packet, services);
        Optional<Service> service = first.isPresent()
                ? services.named(first.get().service())
                : services.findWithoutPorts(packet.vip(), ip.protocol())
                        .filter(candidate -> candidate.key() == HashKey.THREE_TUPLE);
        if (service.isEmpty()) {
            boolean offered = services.offers(packet.vip(), ip.protocol());
            return PacketDecision.of(offered ? Verdict.DROP_FRAGMENT : Verdict.PASS_FRAGMENT);
        }
        if (Soundness.isIpMalformed(packet)) {
            return PacketDecision.of(Verdict.DROP_MALFORMED, service.get());
        }
        Flow flow = Flow.of(service.get(), packet.fiveTuple(Ports.NONE), settings.seed());
        Choice choice = first.map(entry -> Choice.of(Verdict.FORWARD_FRAGMENT, entry.real()))
                .orElseGet(() -> scheduling.schedule(flow, false));
        return forwarding.forward(packet, flow, choice);
    }

    /** A packet with its transport header: not fragmented, or the first fragment. */
    private PacketDecision decideWhole(Packet packet) {
        Optional<Services.Match> match = find(packet);
        if (match.isEmpty()) {
            return PacketDecision.of(Verdict.PASS_NO_SERVICE);
        }
        Service service = match.get().service();
        if (Soundness.isMalformed(packet)) {
            return PacketDecision.of(Verdict.DROP_MALFORMED, service);
        }
        Flow flow = Flow.of(service, packet.fiveTuple(packet.ports().orElseThrow()), settings.seed());
        Choice choice =
                ServerIds.choose(packet, service).orElseGet(() -> scheduling.schedule(flow, startsConnection(packet)));
        fragments.remember(packet, match.get(), choice);
        return forwarding.forward(packet, flow, choice);
    }

    /** What cannot be read of the packet is not asked for: it may still belong to a service of any port or protocol. */
    private Optional<Services.Match> find(Packet packet) {
        IpHeader ip = packet.ip();
        if (!ip.isComplete()) {
            return services.findForAnyProtocol(packet.vip()).map(service -> new Services.Match(service, false));
        }
        Optional<Ports> ports = packet.ports();
        return ports.isPresent()
                ? services.find(packet.vip(), ip.protocol(), ports.get().destination())
                : services.findWithoutPorts(packet.vip(), ip.protocol())
                        .map(service -> new Services.Match(service, false));
    }

    private static boolean startsConnection(Packet packet) {
        return packet.ip().protocol() == IpProtocol.TCP
                && Tcp.read(packet.frame(), packet.ip().transportAt(), packet.end())
                        .filter(Tcp::starts)
                        .isPresent();
    }
}
