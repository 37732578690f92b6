// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Services of any kind: their reals, table, hash key and tunnel. */
final class RandomServices {
    private static final List<InetAddress> REALS =
            List.of(ip("10.3.0.1"), ip("10.3.0.2"), ip("10.3.0.3"), ip("fd00:3::1"), ip("fd00:3::2"));
    private static final int[] TABLE_SIZES = {3, 251, 1021};

    private final Dice dice;
    private final HashSeed seed;

    RandomServices(Dice dice, HashSeed seed) {
        this.dice = dice;
        this.seed = seed;
    }

    /** A real of that family. */
    static InetAddress real(Dice dice, boolean ipv4) {
        return dice.one(
                REALS.stream().filter(real -> RawPacket.isIpv4(real) == ipv4).toList());
    }

    /** Reals may be drained (weight 0, active), down (inactive, but still in the table), or none at all. */
    ServiceProgram program(ServiceKey key) {
        List<WeightedReal> weighted = new ArrayList<>();
        Set<InetAddress> active = new LinkedHashSet<>();
        int share = dice.oneIn(12) ? 0 : dice.one(1, 2, 3, 3, 4);
        for (InetAddress real : REALS) {
            if (dice.below(4) < share) {
                weighted.add(new WeightedReal(real.getHostAddress(), dice.one(0, 1, 1, 2, 3)));
                if (!dice.oneIn(12)) {
                    active.add(real);
                }
            }
        }
        Scheduler[] schedulers = Scheduler.values();
        LookupTable table = schedulers[dice.below(schedulers.length)].build(weighted, dice.one(TABLE_SIZES), seed);
        Forwarding forwarding = dice.oneIn(3) ? Forwarding.GUE : Forwarding.IPIP;
        return new ServiceProgram(key, packetKey(key, active), forwarding, table, active);
    }

    private PacketKey packetKey(ServiceKey key, Set<InetAddress> active) {
        boolean mayBeQuic = key.protocol() == Protocol.UDP || key.protocol() == Protocol.ANY;
        return switch (dice.below(mayBeQuic ? 6 : 2)) {
            case 0 -> PacketKey.FIVE_TUPLE;
            case 1 -> new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of());
            default -> quic(active);
        };
    }

    private PacketKey quic(Set<InetAddress> active) {
        int serverIdLength = 1 + dice.below(ServerId.MAX_BYTES);
        int shortest = 1 + serverIdLength + ConnectionIdLayout.MIN_NONCE_LENGTH;
        int length = shortest + dice.below(ConnectionIdLayout.MAX_LENGTH - shortest + 1);
        ConnectionIdLayout layout =
                new ConnectionIdLayout(length, dice.below(ConnectionIdLayout.UNROUTABLE), serverIdLength);
        Map<ServerId, InetAddress> servers = new HashMap<>();
        for (InetAddress real : active) {
            if (!dice.oneIn(5)) {
                servers.put(ServerId.ofBytes(dice.bytes(serverIdLength)), real);
            }
        }
        return new PacketKey(HashKey.QUIC_CID, Optional.of(layout), servers);
    }
}
