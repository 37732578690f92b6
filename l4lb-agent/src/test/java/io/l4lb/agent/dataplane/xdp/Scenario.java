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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Services as a random operator would have them, and the settings of one director. */
final class Scenario {
    static final List<InetAddress> VIPS = List.of(ip("192.0.2.10"), ip("2001:db8::10"));
    static final int[] PORTS = {80, 443};
    private static final List<InetAddress> REALS =
            List.of(ip("10.3.0.1"), ip("10.3.0.2"), ip("10.3.0.3"), ip("fd00:3::1"), ip("fd00:3::2"));
    private static final int[] TABLE_SIZES = {3, 251, 1021};
    private static final int[] MTUS = {1280, 1400, 1500, 2000};
    private static final byte[] GATEWAY4 = {2, 0, 0, 0, 4, 4};
    private static final byte[] GATEWAY6 = {2, 0, 0, 0, 6, 6};

    private final Random random;
    private final Settings settings;
    private final Map<ServiceKey, ServiceProgram> programs = new LinkedHashMap<>();

    Scenario(Random random) {
        this.random = random;
        this.settings = new Settings(
                new HashSeed(random.nextLong(), random.nextLong()),
                hop("10.2.0.2", GATEWAY4),
                hop("fd00:2::2", GATEWAY6),
                MTUS[random.nextInt(MTUS.length)]);
        for (InetAddress vip : VIPS) {
            for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
                for (int port : PORTS) {
                    ServiceKey key = new ServiceKey(vip, protocol, port);
                    programs.put(key, program(key));
                }
            }
        }
    }

    Settings settings() {
        return settings;
    }

    /** What is to be installed, in one order. */
    Map<ServiceKey, ServiceProgram> programs() {
        return programs;
    }

    /** Gives one service another table, other reals, another key; it is to be installed anew. */
    ServiceProgram change() {
        List<ServiceKey> keys = List.copyOf(programs.keySet());
        ServiceKey key = keys.get(random.nextInt(keys.size()));
        ServiceProgram program = program(key);
        programs.put(key, program);
        return program;
    }

    private NextHop hop(String source, byte[] gateway) {
        return new NextHop(
                random.nextInt(12) == 0 ? Optional.empty() : Optional.of(ip(source)),
                random.nextInt(12) == 0 ? Optional.empty() : Optional.of(gateway));
    }

    /** Reals may be drained (weight 0, active), down (inactive, but still in the table), or none at all. */
    private ServiceProgram program(ServiceKey key) {
        List<WeightedReal> weighted = new ArrayList<>();
        Set<InetAddress> active = new LinkedHashSet<>();
        int share = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(4);
        for (InetAddress real : REALS) {
            if (random.nextInt(4) < share) {
                weighted.add(new WeightedReal(real.getHostAddress(), random.nextInt(4)));
                if (random.nextInt(8) > 0) {
                    active.add(real);
                }
            }
        }
        Scheduler[] schedulers = Scheduler.values();
        LookupTable table = schedulers[random.nextInt(schedulers.length)].build(
                weighted, TABLE_SIZES[random.nextInt(TABLE_SIZES.length)], settings.seed());
        return new ServiceProgram(key, packetKey(key, active), Forwarding.IPIP, table, active);
    }

    private PacketKey packetKey(ServiceKey key, Set<InetAddress> active) {
        int choice = random.nextInt(key.protocol() == Protocol.UDP ? 6 : 2);
        return switch (choice) {
            case 0 -> PacketKey.FIVE_TUPLE;
            case 1 -> new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of());
            default -> quic(active);
        };
    }

    private PacketKey quic(Set<InetAddress> active) {
        int serverIdLength = 1 + random.nextInt(ServerId.MAX_BYTES);
        int shortest = 1 + serverIdLength + ConnectionIdLayout.MIN_NONCE_LENGTH;
        int length = shortest + random.nextInt(ConnectionIdLayout.MAX_LENGTH - shortest + 1);
        ConnectionIdLayout layout =
                new ConnectionIdLayout(length, random.nextInt(ConnectionIdLayout.UNROUTABLE), serverIdLength);
        Map<ServerId, InetAddress> servers = new HashMap<>();
        for (InetAddress real : active) {
            if (random.nextInt(5) > 0) {
                byte[] bytes = new byte[serverIdLength];
                random.nextBytes(bytes);
                servers.put(ServerId.ofBytes(bytes), real);
            }
        }
        return new PacketKey(HashKey.QUIC_CID, Optional.of(layout), servers);
    }
}
