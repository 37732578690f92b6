// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.hashing.packet.Udp;
import java.util.HexFormat;
import java.util.Optional;

/** A frame for people: its fields, as far as they can be read, and all of it in hexadecimal digits. */
final class FrameText {
    private static final int TAGS_AT = 12;

    private FrameText() {}

    static String of(byte[] frame) {
        Optional<Ethernet> ethernet = Ethernet.read(frame);
        String fields = ethernet.map(found -> "type %04x%s".formatted(found.type(), tags(frame, found))
                        + ip(frame, found.type(), found.length()))
                .orElse("no Ethernet header");
        return frame.length + " bytes, " + fields + "\n    " + HexFormat.of().formatHex(frame);
    }

    private static String tags(byte[] frame, Ethernet ethernet) {
        String tags = HexFormat.of().formatHex(frame, TAGS_AT, ethernet.length() - 2);
        return tags.isEmpty() ? "" : ", tags " + tags;
    }

    /** Of a packet, or of one that another carries or quotes. */
    private static String ip(byte[] frame, int type, int at) {
        return IpHeader.read(frame, type, at, frame.length)
                .map(ip -> "\n      " + header(frame, ip) + ", " + transport(frame, ip))
                .orElse(", no IP header");
    }

    private static String header(byte[] frame, IpHeader ip) {
        return "%s -> %s, protocol %d%s, length %d of %d, header %d%s, TTL %d, class %02x%s%s"
                .formatted(
                        ip.source().getHostAddress(),
                        ip.destination().getHostAddress(),
                        ip.protocol(),
                        ip.isComplete() ? "" : " (incomplete)",
                        ip.totalLength(),
                        frame.length - ip.at(),
                        ip.transportAt() - ip.at(),
                        ip.isRouted() ? " (routed)" : "",
                        ip.ttl(),
                        ip.trafficClass(),
                        ip.mustNotBeFragmented() ? ", DF" : "",
                        ip.fragment().map(fragment -> ", " + fragment).orElse(""));
    }

    private static String transport(byte[] frame, IpHeader ip) {
        int at = ip.transportAt();
        if (ip.fragment().filter(fragment -> !fragment.isFirst()).isPresent()) {
            return "no transport header";
        }
        Optional<Ports> ports = Ports.read(frame, ip.protocol(), at, frame.length);
        String portText = ports.map(found -> "ports " + found.source() + " -> " + found.destination())
                .orElse("no ports");
        return switch (ip.protocol()) {
            case IpProtocol.TCP -> portText + ", " + tcp(frame, at);
            case IpProtocol.UDP ->
                portText
                        + Udp.read(frame, at, frame.length)
                                .map(udp -> ", UDP length " + udp.length())
                                .orElse(", no UDP header");
            case IpProtocol.ICMP, IpProtocol.ICMPV6 ->
                IcmpHeader.read(frame, ip, frame.length)
                        .map(icmp -> icmp(frame, ip, icmp))
                        .orElse("no ICMP header");
            case IpProtocol.IPV4 -> "in which" + ip(frame, Ethernet.IPV4, at);
            case IpProtocol.IPV6 -> "in which" + ip(frame, Ethernet.IPV6, at);
            default -> portText;
        };
    }

    private static String tcp(byte[] frame, int at) {
        return Tcp.read(frame, at, frame.length)
                .map(tcp -> "data offset " + tcp.length() + (tcp.starts() ? ", starts" : "") + ", options "
                        + HexFormat.of().formatHex(frame, at + Tcp.BYTES, at + tcp.length()))
                .orElse("no TCP header");
    }

    private static String icmp(byte[] frame, IpHeader ip, IcmpHeader icmp) {
        String header = "ICMP " + HexFormat.of().formatHex(frame, ip.transportAt(), icmp.bodyAt());
        return icmp.reportsLoss() ? header + ", quotes" + ip(frame, ip.etherType(), icmp.bodyAt()) : header;
    }
}
