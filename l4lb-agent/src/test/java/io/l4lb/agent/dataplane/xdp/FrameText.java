// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Ports;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.hashing.packet.Udp;
import java.util.HexFormat;
import java.util.Optional;

/** A frame for people: its fields, as far as they can be read, and all of it in hexadecimal digits. */
final class FrameText {
    private FrameText() {}

    static String of(byte[] frame) {
        String fields = Ethernet.read(frame)
                .map(ethernet -> "type %04x".formatted(ethernet.type())
                        + IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                                .map(ip -> ip(frame, ip))
                                .orElse(", no IP header"))
                .orElse("no Ethernet header");
        return frame.length + " bytes, " + fields + "\n    " + HexFormat.of().formatHex(frame);
    }

    private static String ip(byte[] frame, IpHeader ip) {
        Optional<Ports> ports = Ports.read(frame, ip.protocol(), ip.transportAt(), frame.length);
        return ", %s -> %s, protocol %d, length %d of %d, header %d, TTL %d, class %02x, %s"
                .formatted(
                        ip.source().getHostAddress(),
                        ip.destination().getHostAddress(),
                        ip.protocol(),
                        ip.totalLength(),
                        frame.length - ip.at(),
                        ip.transportAt() - ip.at(),
                        ip.ttl(),
                        ip.trafficClass(),
                        ports.map(found ->
                                        "ports " + found.source() + " -> " + found.destination() + transport(frame, ip))
                                .orElse("no ports"));
    }

    private static String transport(byte[] frame, IpHeader ip) {
        int at = ip.transportAt();
        return switch (ip.protocol()) {
            case IpProtocol.TCP ->
                Tcp.read(frame, at, frame.length)
                        .map(tcp -> ", data offset " + tcp.length() + (tcp.starts() ? ", starts" : ""))
                        .orElse(", no TCP header");
            case IpProtocol.UDP ->
                Udp.read(frame, at, frame.length)
                        .map(udp -> ", UDP length " + udp.length())
                        .orElse(", no UDP header");
            default -> "";
        };
    }
}
