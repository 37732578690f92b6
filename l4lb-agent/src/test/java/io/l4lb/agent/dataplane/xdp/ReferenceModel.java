// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.Gateway;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.NextHops;
import io.l4lb.hashing.decision.OuterSource;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.QuicServers;
import io.l4lb.hashing.decision.Service;
import io.l4lb.hashing.decision.ServiceFlow;
import io.l4lb.hashing.decision.Services;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.decision.Tunnel;
import io.l4lb.hashing.packet.MacAddress;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the packet model is made for a scenario: as it should be, or wrong in one way, to see that this is noticed. */
enum ReferenceModel {
    RIGHT,
    OTHER_SEED {
        @Override
        HashSeed seed(HashSeed seed) {
            return new HashSeed(seed.k0(), seed.k1() ^ 1);
        }
    },
    OTHER_MTU {
        @Override
        int mtu(int mtu) {
            return mtu + 1;
        }
    },
    /** It takes a time to live of 1 for 2. */
    OTHER_TTL {
        @Override
        byte[] seen(byte[] frame) {
            byte[] other = frame.clone();
            int at = frame.length > 20 && frame[12] == 0x08 ? 22 : 21;
            if (frame.length > at && other[at] == 1) {
                other[at] = 2;
            }
            return other;
        }
    },
    WITHOUT_FLOW_TABLE {
        @Override
        Memory<ServiceFlow> flows(Memory<ServiceFlow> flows) {
            return Memory.none();
        }
    };

    /** Decides as the model does. */
    interface Oracle {
        PacketDecision decide(byte[] frame);
    }

    HashSeed seed(HashSeed seed) {
        return seed;
    }

    int mtu(int mtu) {
        return mtu;
    }

    byte[] seen(byte[] frame) {
        return frame;
    }

    Memory<ServiceFlow> flows(Memory<ServiceFlow> flows) {
        return flows;
    }

    /** A model of what is installed now. */
    Oracle of(Scenario scenario, Memory<ServiceFlow> flows) {
        Services.Builder services = Services.builder();
        scenario.programs()
                .forEach((key, program) ->
                        services.add(key.vip(), key.protocol().number(), key.port(), service(program)));
        Settings settings = scenario.settings();
        Tunnel tunnel = new Tunnel(mtu(settings.mtu()), source(settings.ipv4()), source(settings.ipv6()));
        PacketModel model = new PacketModel(
                services.build(),
                new io.l4lb.hashing.decision.Settings(
                        seed(settings.seed()),
                        tunnel,
                        new NextHops(gateway(settings.ipv4()), gateway(settings.ipv6())),
                        Switches.OFF),
                flows(flows),
                Memory.none());
        return frame -> model.decide(seen(frame));
    }

    private static @Nullable OuterSource source(NextHop hop) {
        return hop.source().map(address -> new OuterSource(address, 0)).orElse(null);
    }

    private static @Nullable Gateway gateway(NextHop hop) {
        return hop.gateway().map(mac -> new Gateway(MacAddress.ofBytes(mac))).orElse(null);
    }

    /** Its name is its key's, since services of the kernel have one key each. */
    private static Service service(ServiceProgram program) {
        String name = program.key().toString();
        Map<String, InetAddress> active = new HashMap<>();
        program.active().forEach(real -> active.put(Real.identity(real), real));
        PacketKey key = program.packetKey();
        if (key.layout().isEmpty()) {
            return Service.of(name, key.hashKey(), program.table(), active);
        }
        Map<ServerId, String> servers = new HashMap<>();
        key.servers().forEach((serverId, real) -> servers.put(serverId, Real.identity(real)));
        return Service.ofQuic(
                name, program.table(), active, new QuicServers(key.layout().get(), servers));
    }
}
