// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.packet.MacAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** A director of the golden frames: its addresses, and services with one real each, so that no hash decides. */
final class Director {
    static final HashSeed SEED = HashSeed.ofHex("000102030405060708090a0b0c0d0e0f");
    static final InetAddress VIP4 = address("198.51.100.7");
    static final InetAddress VIP6 = address("2001:db8:ffff::7");
    static final InetAddress CLIENT4 = address("192.0.2.1");
    static final InetAddress CLIENT6 = address("2001:db8::1");
    static final String R4 = "r4";
    static final String R6 = "r6";
    static final Map<String, InetAddress> REALS = Map.of(R4, address("10.0.1.1"), R6, address("fd00:1::1"));
    static final Tunnel TUNNEL = tunnel(1500, 0);
    static final NextHops HOPS = new NextHops(new Gateway(mac("020000000401")), new Gateway(mac("020000000601")));
    static final int TCP = 6;
    static final int UDP = 17;

    final InMemory<ServiceFlow> flows = new InMemory<>();
    final InMemory<FragmentKey> fragments = new InMemory<>();
    private final Services services;
    private Tunnel tunnel = TUNNEL;
    private NextHops hops = HOPS;
    private Switches switches = Switches.DEFAULT;

    Director(Services services) {
        this.services = services;
    }

    /** Offers one service everywhere the golden frames go, at its ports alone. */
    static Director offering(Service service) {
        Services.Builder services = Services.builder();
        for (InetAddress vip : List.of(VIP4, VIP6)) {
            for (int protocol : List.of(TCP, UDP)) {
                services.add(vip, protocol, 443, service).add(vip, protocol, 53, service);
            }
        }
        return new Director(services.build());
    }

    /** A service with the 5-tuple whose every slot names that real. */
    static Service to(String real) {
        return named("web", HashKey.FIVE_TUPLE, real);
    }

    /** The same in generic UDP encapsulation. */
    static Service gueTo(String real) {
        return to(real).withEncapsulation(Encapsulation.GUE);
    }

    static Service named(String name, HashKey key, String real) {
        return Service.of(name, key, tableOf(real), REALS);
    }

    static LookupTable tableOf(String real) {
        return LookupTable.of(List.of(new WeightedReal(real, 1)), new int[] {0});
    }

    static Tunnel tunnel(int mtu, int spreadBits) {
        return new Tunnel(
                mtu, new OuterSource(address("10.0.0.2"), spreadBits), new OuterSource(address("fd00::2"), spreadBits));
    }

    Director with(Tunnel other) {
        tunnel = other;
        return this;
    }

    Director with(NextHops other) {
        hops = other;
        return this;
    }

    Director with(Switches other) {
        switches = other;
        return this;
    }

    PacketModel model() {
        return model(flows);
    }

    PacketModel model(Memory<ServiceFlow> memory) {
        return new PacketModel(services, new Settings(SEED, tunnel, hops, switches), memory, fragments);
    }

    PacketDecision decide(String hex) {
        return decide(bytes(hex));
    }

    /** What must hold of every decision is checked here. */
    PacketDecision decide(byte[] frame) {
        return decide(model(), frame);
    }

    static PacketDecision decide(PacketModel model, byte[] frame) {
        byte[] before = frame.clone();
        PacketDecision decision = model.decide(frame);
        assertArrayEquals(before, frame, "a frame is not changed");
        assertEquals(decision.verdict().action() == Action.TRANSMIT, decision.frame().length > 0, decision::toString);
        return decision;
    }

    /** Asserts verdict and bytes. */
    void assertLeaves(Verdict verdict, String in, String out) {
        PacketDecision decision = decide(in);
        assertEquals(verdict, decision.verdict());
        assertEquals(out, HexFormat.of().formatHex(decision.frame()));
    }

    void assertVerdict(Verdict verdict, String in) {
        assertEquals(verdict, decide(in).verdict());
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    /** The frame with other bytes at some place. */
    static String patched(String hex, int at, String other) {
        return hex.substring(0, 2 * at) + other + hex.substring(2 * at + other.length());
    }

    static MacAddress mac(String hex) {
        return MacAddress.ofBytes(bytes(hex));
    }

    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
