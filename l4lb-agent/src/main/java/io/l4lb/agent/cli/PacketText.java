// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.Fragment;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.NetworkOrder;
import io.l4lb.hashing.packet.Ports;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A frame in a few words: {@code 10.1.0.2:1234 > 192.0.2.10:80 tcp syn}; of a packet in a tunnel, both, the outer one
 * first: {@code 10.0.0.2 > 10.0.1.1 ipip | ...}.
 */
final class PacketText {
    private static final int MAX_DEPTH = 3;
    private static final int GUE_PORT = 6080;
    private static final int UDP_BYTES = 8;
    private static final int TCP_FLAGS = 13;
    private static final List<String> FLAGS = List.of("fin", "syn", "rst", "psh", "ack", "urg");

    private final byte[] frame;

    PacketText(byte[] frame) {
        this.frame = frame;
    }

    @Override
    public String toString() {
        return Ethernet.read(frame)
                .map(ethernet -> IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                        .map(ip -> packet(ip, 0))
                        .orElseGet(() -> "ethertype 0x%04x".formatted(ethernet.type())))
                .orElse("no whole Ethernet header");
    }

    private String packet(IpHeader ip, int depth) {
        Optional<Fragment> fragment = ip.isComplete() ? ip.fragment() : Optional.empty();
        boolean first = fragment.map(Fragment::isFirst).orElse(true);
        Optional<Ports> ports = first && ip.isComplete() && Ports.areIn(ip.protocol())
                ? Ports.read(frame, ip.protocol(), ip.transportAt(), frame.length)
                : Optional.empty();
        String ends = end(ip.source(), ports.map(Ports::source)) + " > "
                + end(ip.destination(), ports.map(Ports::destination));
        Optional<IpHeader> inner = first && depth < MAX_DEPTH ? inner(ip, ports) : Optional.empty();
        if (inner.isPresent()) {
            String tunnel = ip.protocol() == IpProtocol.UDP ? "gue" : "ipip";
            return ends + " " + tunnel + " | " + packet(inner.get(), depth + 1);
        }
        return ends + " " + protocol(ip) + (first ? detail(ip) : "")
                + fragment.map(part -> ", fragment " + part.id() + " at " + part.offset())
                        .orElse("");
    }

    private Optional<IpHeader> inner(IpHeader ip, Optional<Ports> ports) {
        return switch (ip.protocol()) {
            case IpProtocol.IPV4 -> IpHeader.read(frame, Ethernet.IPV4, ip.transportAt(), frame.length);
            case IpProtocol.IPV6 -> IpHeader.read(frame, Ethernet.IPV6, ip.transportAt(), frame.length);
            case IpProtocol.UDP ->
                ports.filter(both -> both.destination() == GUE_PORT)
                        .flatMap(both -> behindUdp(ip.transportAt() + UDP_BYTES));
            default -> Optional.empty();
        };
    }

    /** GUE, variant 1: the version of the IP header is what tells it. */
    private Optional<IpHeader> behindUdp(int at) {
        return IpHeader.read(frame, Ethernet.IPV4, at, frame.length)
                .or(() -> IpHeader.read(frame, Ethernet.IPV6, at, frame.length));
    }

    private static String end(InetAddress address, Optional<Integer> port) {
        String text = IpText.of(address);
        return port.map(number -> (text.indexOf(':') < 0 ? text : "[" + text + "]") + ":" + number)
                .orElse(text);
    }

    private static String protocol(IpHeader ip) {
        return switch (ip.protocol()) {
            case IpProtocol.ICMP -> "icmp";
            case IpProtocol.ICMPV6 -> "icmpv6";
            default -> Protocol.ofNumber(ip.protocol()).map(Protocol::key).orElseGet(() -> "protocol " + ip.protocol());
        };
    }

    private String detail(IpHeader ip) {
        int at = ip.transportAt();
        if (ip.protocol() == IpProtocol.TCP && at + TCP_FLAGS < frame.length) {
            int flags = NetworkOrder.u8(frame, at + TCP_FLAGS);
            List<String> set = new ArrayList<>();
            for (int bit = 0; bit < FLAGS.size(); bit++) {
                if ((flags >> bit & 1) != 0) {
                    set.add(FLAGS.get(bit));
                }
            }
            return set.isEmpty() ? "" : " " + String.join(",", set);
        }
        return IcmpHeader.read(frame, ip, frame.length)
                .map(icmp -> " type " + NetworkOrder.u8(frame, at) + " code " + NetworkOrder.u8(frame, at + 1))
                .orElse("");
    }
}
