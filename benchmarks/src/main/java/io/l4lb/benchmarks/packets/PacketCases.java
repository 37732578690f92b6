// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import static io.l4lb.benchmarks.packets.PacketCase.Balancer.FULL;
import static io.l4lb.benchmarks.packets.PacketCase.Balancer.HASHING;
import static io.l4lb.benchmarks.packets.PacketCase.Balancer.LARGE;
import static io.l4lb.benchmarks.packets.PacketCase.Balancer.LIMITED;
import static io.l4lb.benchmarks.packets.PacketCase.Balancer.REMEMBERING;

import io.l4lb.benchmarks.packets.Expectation.Memory;
import io.l4lb.benchmarks.packets.PacketCase.Katran;
import io.l4lb.test.Frame;
import java.util.List;

/** What is timed, in the order in which it is printed. */
final class PacketCases {
    private static final String CLIENT4 = "198.51.100.7";
    private static final String CLIENT6 = "2001:db8:1::7";
    private static final String ROUTER4 = "203.0.113.1";
    private static final String ROUTER6 = "2001:db8:2::1";
    private static final int PORT = 40000;
    /** Clients of many flows, by case: up to 1024 addresses from there on. */
    private static final String MANY_4K = "10.64.0.0";

    private static final String MANY_512K = "10.65.0.0";
    private static final String MANY_INSERTED = "10.66.0.0";
    private static final String MANY_FLOOD = "10.67.0.0";
    private static final String MANY_HASHED = "10.68.0.0";

    /** A QUIC packet with a short header to the first real's server ID: its octets behind the first are random. */
    private static final String QUIC_SHORT = "40" + "05" + Configuration.SERVER_ID + "a1b2c3d4e5" + "9c0ffee0d15ea5e1";
    /** Initial, version 1, to a connection ID as long as the reals' that the client made up, from one of 8 octets. */
    private static final String QUIC_INITIAL =
            "c3" + "00000001" + "08" + "05" + "f00d" + "0102030405" + "08" + "1122334455667788" + "00" + "4010";

    private PacketCases() {}

    static List<PacketCase> all() {
        Expectation hit = Expectation.found(Tunnel.IPV4_IN_IPV4);
        Expectation leftOut = Expectation.scheduled(Memory.LEFT_OUT);
        return List.of(
                of("tcp4-hit", new Katran(79, 4.9), Traffic.of(tcp4(CLIENT4, PORT, Frame.ACK)), hit),
                of("tcp4-hit-4k", new Katran(104, 6.5), Traffic.of(many(MANY_4K, Frame.ACK), 1 << 12), hit),
                of("tcp4-hit-512k", new Katran(421, 26), Traffic.of(many(MANY_512K, Frame.ACK), 1 << 19), hit)
                        .by(LARGE),
                of(
                                "tcp4-syn-insert",
                                new Katran(791, 49),
                                Traffic.of(many(MANY_INSERTED, Frame.SYN), 1 << 24),
                                Expectation.scheduled(Memory.INSERTED))
                        .by(FULL),
                of("tcp4-flood", new Katran(101, 6.3), Traffic.of(many(MANY_FLOOD, Frame.SYN), 1 << 20), leftOut)
                        .by(LIMITED),
                of("tcp4-hash-only", new Katran(101, 6.3), Traffic.of(many(MANY_HASHED, Frame.ACK), 1 << 16), leftOut)
                        .by(HASHING),
                of("udp4-hit", new Katran(103, 6.4), Traffic.of(udp4(Vips.UDP_PORT, "0123456789abcdef")), hit),
                of("tcp6-hit", new Katran(75, 4.7), Traffic.of(tcp6()), Expectation.found(Tunnel.IPV6_IN_IPV6)),
                of(
                        "tcp4in6-hit",
                        new Katran(72, 4.5),
                        Traffic.of(Frames.tcp(CLIENT4, PORT, Vips.IPV4_TO_IPV6, Frame.ACK)),
                        Expectation.found(Tunnel.IPV4_IN_IPV6)),
                of("icmp4-ptb", new Katran(79, 4.9), fragmentationNeeded(), hit),
                of("icmp6-ptb", new Katran(75, 4.7), packetTooBig(), Expectation.found(Tunnel.IPV6_IN_IPV6)),
                of(
                        "quic-server-id",
                        new Katran(79, 4.9),
                        Traffic.of(udp4(Vips.QUIC_PORT, QUIC_SHORT)),
                        new Expectation("forward-server-id", Tunnel.IPV4_IN_IPV4, Memory.NONE)),
                of("quic-initial", new Katran(107, 6.7), Traffic.of(udp4(Vips.QUIC_PORT, QUIC_INITIAL)), hit),
                of(
                        "tcp4-gue-hit",
                        new Katran(142, 8.9),
                        Traffic.of(Frames.tcp(CLIENT4, PORT, Vips.GUE, Frame.ACK)),
                        Expectation.found(Tunnel.IPV4_IN_GUE)),
                of(
                        "not-vip",
                        new Katran(40, 3.8),
                        Traffic.of(Frames.tcp(CLIENT4, PORT, Vips.NONE, Frame.ACK)),
                        new Expectation("pass-no-service", Tunnel.NONE, Memory.NONE)));
    }

    private static PacketCase of(String name, Katran katran, Traffic traffic, Expectation expectation) {
        return new PacketCase(name, katran, REMEMBERING, traffic, expectation);
    }

    private static byte[] tcp4(String client, int port, int flags) {
        return Frames.tcp(client, port, Vips.IPV4, flags);
    }

    private static byte[] many(String firstClient, int flags) {
        return tcp4(firstClient, Traffic.port(0), flags);
    }

    private static byte[] tcp6() {
        return Frames.tcp(CLIENT6, PORT, Vips.IPV6, Frame.ACK);
    }

    private static byte[] udp4(int vipPort, String payload) {
        return Frames.udp(CLIENT4, PORT, Vips.IPV4, vipPort, payload);
    }

    /** Of a flow that is remembered. */
    private static Traffic fragmentationNeeded() {
        return Traffic.of(Frames.fragmentationNeeded(ROUTER4, Vips.IPV4, CLIENT4, PORT))
                .after(tcp4(CLIENT4, PORT, Frame.ACK));
    }

    private static Traffic packetTooBig() {
        return Traffic.of(Frames.packetTooBig(ROUTER6, Vips.IPV6, CLIENT6, PORT))
                .after(tcp6());
    }
}
