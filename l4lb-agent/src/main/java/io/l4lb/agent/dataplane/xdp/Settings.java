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
    static final int SIZE = 96;
    static final int IPV4 = 0;
    static final int SEED = 32;
    static final int MTU = 48;
    /** Of what {@link XdpDataplane#sample} says: of no interest to whoever else has settings. */
    static final int CAPTURE = 52;

    static final int IPV6 = 64;
    static final int GATEWAY = 16;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        put(buffer, IPV4, ipv4);
        put(buffer, IPV6, ipv6);
        buffer.putLong(SEED, seed.k0()).putLong(SEED + Long.BYTES, seed.k1());
        return buffer.putInt(MTU, mtu).clear();
    }

    static Settings decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        return new Settings(
                new HashSeed(buffer.getLong(SEED), buffer.getLong(SEED + Long.BYTES)),
                hop(buffer, IPV4),
                hop(buffer, IPV6),
                buffer.getInt(MTU));
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

    private static NextHop hop(ByteBuffer buffer, int offset) {
        InetAddress source = MappedAddress.get(buffer.position(offset));
        byte[] mac = new byte[6];
        buffer.position(offset + GATEWAY).get(mac);
        return new NextHop(
                Optional.of(source).filter(address -> !address.isAnyLocalAddress()),
                Arrays.equals(mac, new byte[6]) ? Optional.empty() : Optional.of(mac));
    }

    private static void put(ByteBuffer buffer, int offset, NextHop hop) {
        hop.source().ifPresent(source -> MappedAddress.put(buffer.position(offset), source));
        hop.gateway().ifPresent(mac -> buffer.position(offset + GATEWAY).put(mac));
    }
}
