// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.Gateway;
import io.l4lb.hashing.decision.NextHops;
import io.l4lb.hashing.decision.OuterSource;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.decision.Tunnel;
import io.l4lb.hashing.packet.MacAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code struct settings} of {@code l4lb.h}, in the host's byte order.
 *
 * @param mtu largest outer packet, from the outer IP header on, in bytes
 */
record Settings(HashSeed seed, NextHop ipv4, NextHop ipv6, int mtu) {
    static final int SIZE = 64;
    static final int SOURCE4 = 16;
    static final int SOURCE6 = 32;
    static final int GATEWAY4 = 48;
    static final int GATEWAY6 = 54;
    static final int MTU = 60;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        buffer.putLong(seed.k0()).putLong(seed.k1());
        putSource(buffer, SOURCE4, ipv4);
        putSource(buffer, SOURCE6, ipv6);
        putGateway(buffer, GATEWAY4, ipv4);
        putGateway(buffer, GATEWAY6, ipv6);
        return buffer.position(MTU).putInt(mtu).flip();
    }

    static Settings decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        return new Settings(
                new HashSeed(buffer.getLong(), buffer.getLong()),
                new NextHop(source(buffer, SOURCE4), gateway(buffer, GATEWAY4)),
                new NextHop(source(buffer, SOURCE6), gateway(buffer, GATEWAY6)),
                buffer.position(MTU).getInt());
    }

    /** The same for the packet model, with what the program does not do switched off. */
    io.l4lb.hashing.decision.Settings forModel() {
        Tunnel tunnel = new Tunnel(mtu, source(ipv4), source(ipv6));
        NextHops gateways = new NextHops(gateway(ipv4), gateway(ipv6));
        return new io.l4lb.hashing.decision.Settings(seed, tunnel, gateways, Switches.OFF);
    }

    private static @Nullable OuterSource source(NextHop hop) {
        return hop.source().map(address -> new OuterSource(address, 0)).orElse(null);
    }

    private static @Nullable Gateway gateway(NextHop hop) {
        return hop.gateway().map(mac -> new Gateway(MacAddress.ofBytes(mac))).orElse(null);
    }

    private static Optional<InetAddress> source(ByteBuffer buffer, int offset) {
        return Optional.of(MappedAddress.get(buffer.position(offset))).filter(source -> !source.isAnyLocalAddress());
    }

    private static Optional<byte[]> gateway(ByteBuffer buffer, int offset) {
        byte[] mac = new byte[6];
        buffer.position(offset).get(mac);
        return Arrays.equals(mac, new byte[6]) ? Optional.empty() : Optional.of(mac);
    }

    private static void putSource(ByteBuffer buffer, int offset, NextHop hop) {
        buffer.position(offset);
        hop.source().ifPresent(source -> MappedAddress.put(buffer, source));
    }

    private static void putGateway(ByteBuffer buffer, int offset, NextHop hop) {
        buffer.position(offset);
        hop.gateway().ifPresent(buffer::put);
    }
}
