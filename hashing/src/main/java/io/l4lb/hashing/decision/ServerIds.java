// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.hashing.packet.Udp;
import java.util.Optional;

/**
 * The QUIC part of step 5: a connection ID that carries a known server ID names its real, and neither table is asked. A
 * real that may have no traffic is as good as unknown: the 5-tuple decides.
 */
final class ServerIds {
    private ServerIds() {}

    /** The real that the packet names. Only for packets that are not malformed. */
    static Optional<Choice> choose(Packet packet, Service service) {
        if (packet.ip().protocol() != IpProtocol.UDP) {
            return Optional.empty();
        }
        return service.quic()
                .flatMap(quic -> named(packet, quic))
                .filter(real -> service.tunnelEnd(real).isPresent())
                .map(real -> Choice.of(Verdict.FORWARD_SERVER_ID, real));
    }

    private static Optional<String> named(Packet packet, QuicServers quic) {
        int at = packet.ip().transportAt();
        Udp udp = Udp.read(packet.frame(), at, packet.end()).orElseThrow();
        int end = Math.min(at + udp.length(), packet.end());
        return quic.layout().serverId(packet.frame(), udp.payloadAt(), end).map(quic.reals()::get);
    }
}
