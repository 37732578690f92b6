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
import java.util.Set;
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
    static final int OWN = 22;
    static final int INTERFACE = 28;

    private static final int MAC = 6;
    /** Stands for a next hop that the kernel tells for each packet. */
    private static final Gateway ASKED_FOR = new Gateway(MacAddress.ofBytes(new byte[MAC]), null);

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

    /**
     * The same for the packet model.
     *
     * @param ingress interfaces that packets come in by: one that leaves by one of them is taken to have come by it
     */
    io.l4lb.hashing.decision.Settings forModel(Set<Integer> ingress, Constants constants) {
        Tunnel tunnel = new Tunnel(mtu, source(ipv4, constants.source4Bits()), source(ipv6, constants.source6Bits()));
        Constants.Features features = constants.features();
        NextHops gateways = features.fib()
                ? new NextHops(ASKED_FOR, ASKED_FOR)
                : new NextHops(gateway(ipv4, ingress), gateway(ipv6, ingress));
        Switches switches = new Switches(features.echoReplies(), features.tooBigAnswers(), features.mssClamp());
        return new io.l4lb.hashing.decision.Settings(seed, tunnel, gateways, switches);
    }

    private static @Nullable OuterSource source(NextHop hop, int bits) {
        return hop.source().map(address -> new OuterSource(address, bits)).orElse(null);
    }

    private static @Nullable Gateway gateway(NextHop hop, Set<Integer> ingress) {
        @Nullable
        MacAddress other = hop.egress()
                .filter(egress -> !ingress.contains(egress.interfaceIndex()))
                .map(Egress::own)
                .orElse(null);
        return hop.gateway()
                .map(mac -> new Gateway(MacAddress.ofBytes(mac), other))
                .orElse(null);
    }

    private static NextHop hop(ByteBuffer buffer, int offset) {
        InetAddress source = MappedAddress.get(buffer.position(offset));
        byte[] gateway = mac(buffer, offset + GATEWAY);
        int leaves = buffer.getInt(offset + INTERFACE);
        return new NextHop(
                Optional.of(source).filter(address -> !address.isAnyLocalAddress()),
                Optional.of(gateway).filter(mac -> !Arrays.equals(mac, new byte[MAC])),
                leaves == 0
                        ? Optional.empty()
                        : Optional.of(new Egress(leaves, MacAddress.ofBytes(mac(buffer, offset + OWN)))));
    }

    private static byte[] mac(ByteBuffer buffer, int offset) {
        byte[] mac = new byte[MAC];
        buffer.get(offset, mac);
        return mac;
    }

    private static void put(ByteBuffer buffer, int offset, NextHop hop) {
        hop.source().ifPresent(source -> MappedAddress.put(buffer.position(offset), source));
        hop.gateway().ifPresent(mac -> buffer.put(offset + GATEWAY, mac));
        hop.egress().ifPresent(egress -> buffer.put(offset + OWN, egress.own().toBytes())
                .putInt(offset + INTERFACE, egress.interfaceIndex()));
    }
}
