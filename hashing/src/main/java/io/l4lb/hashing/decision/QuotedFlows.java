// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Ports;
import java.util.Optional;

/**
 * Step 3, second half: an ICMP error about a packet that a real sent belongs to that packet's flow. The quoted packet
 * goes from the VIP to the client; its key, reversed, is the key of the client's packets, so that every director finds
 * the real, whether it ever saw the flow or not.
 *
 * <p>The quoted IP header and the four bytes of the ports behind it suffice: routers need not quote more than eight.
 */
final class QuotedFlows {
    private final Services services;
    private final HashSeed seed;

    QuotedFlows(Services services, HashSeed seed) {
        this.services = services;
        this.seed = seed;
    }

    /** The flow of the quoted packet; empty if there is none, or it is no service's. */
    Optional<Flow> of(Packet packet) {
        return packet.icmp().filter(IcmpHeader::reportsLoss).flatMap(icmp -> IpHeader.read(
                        packet.frame(), packet.ip().etherType(), icmp.bodyAt(), packet.end())
                .filter(quoted -> isFromVip(packet, quoted))
                .flatMap(quoted -> flowOf(packet, quoted)));
    }

    /** The error goes to whom the packet came from: another VIP in the quote would be a lie. */
    private static boolean isFromVip(Packet packet, IpHeader quoted) {
        return quoted.isComplete() && quoted.source().equals(packet.vip()) && !quoted.hasMappedAddress();
    }

    private Optional<Flow> flowOf(Packet packet, IpHeader quoted) {
        boolean later =
                quoted.fragment().filter(fragment -> !fragment.isFirst()).isPresent();
        if (later) {
            return services.findWithoutPorts(quoted.source(), quoted.protocol())
                    .filter(service -> service.key() == HashKey.THREE_TUPLE)
                    .map(service -> Flow.of(service, clientsKey(quoted, Ports.NONE), seed));
        }
        return Ports.read(packet.frame(), quoted.protocol(), quoted.transportAt(), packet.end())
                .flatMap(ports -> services.find(quoted.source(), quoted.protocol(), ports.source())
                        .map(match -> Flow.of(match.service(), clientsKey(quoted, ports), seed)));
    }

    private static FlowKey clientsKey(IpHeader quoted, Ports ports) {
        return new FlowKey(
                        quoted.source(), ports.source(), quoted.destination(), ports.destination(), quoted.protocol())
                .reversed();
    }
}
