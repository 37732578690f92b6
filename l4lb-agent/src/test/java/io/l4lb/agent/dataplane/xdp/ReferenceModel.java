// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.Encapsulation;
import io.l4lb.hashing.decision.FragmentKey;
import io.l4lb.hashing.decision.Gateway;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.NextHops;
import io.l4lb.hashing.decision.OuterSource;
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
    WITHOUT_FLOW_TABLE {
        @Override
        Memory<ServiceFlow> flows(Memory<ServiceFlow> flows) {
            return Memory.none();
        }
    },
    WITHOUT_FRAGMENT_MEMORY {
        @Override
        Memory<FragmentKey> fragments(Memory<FragmentKey> fragments) {
            return Memory.none();
        }
    },
    ECHO_THE_OTHER_WAY {
        @Override
        Switches switches(Switches right) {
            return new Switches(!right.echoReplies(), right.tooBigAnswers(), right.mssClamp());
        }
    },
    TOO_BIG_THE_OTHER_WAY {
        @Override
        Switches switches(Switches right) {
            return new Switches(right.echoReplies(), !right.tooBigAnswers(), right.mssClamp());
        }
    },
    OTHER_SEGMENT_SIZE {
        @Override
        Switches switches(Switches right) {
            return new Switches(right.echoReplies(), right.tooBigAnswers(), right.mssClamp() ^ 1);
        }
    },
    OTHER_SPREAD {
        @Override
        int spreadBits(int bits) {
            return bits == 0 ? 1 : bits - 1;
        }
    },
    OTHER_TUNNEL {
        @Override
        Encapsulation encapsulation(Forwarding forwarding) {
            return Encapsulation.IPIP;
        }
    },
    ANY_PORT_IS_PORT_0 {
        @Override
        void offer(Services.Builder services, ServiceKey key, Service service) {
            services.add(key.vip(), key.protocol().number(), key.port(), service);
        }
    };

    HashSeed seed(HashSeed seed) {
        return seed;
    }

    int mtu(int mtu) {
        return mtu;
    }

    Memory<ServiceFlow> flows(Memory<ServiceFlow> flows) {
        return flows;
    }

    Memory<FragmentKey> fragments(Memory<FragmentKey> fragments) {
        return fragments;
    }

    Switches switches(Switches right) {
        return right;
    }

    int spreadBits(int bits) {
        return bits;
    }

    Encapsulation encapsulation(Forwarding forwarding) {
        return switch (forwarding) {
            case IPIP -> Encapsulation.IPIP;
            case GUE -> Encapsulation.GUE;
            case GRE, DIRECT, MASQUERADE -> throw new IllegalArgumentException(forwarding.key());
        };
    }

    void offer(Services.Builder services, ServiceKey key, Service service) {
        if (key.protocol() == Protocol.ANY) {
            services.addAnyProtocol(key.vip(), service);
        } else if (key.port() == Frontend.ANY_PORT) {
            services.addAnyPort(key.vip(), key.protocol().number(), service);
        } else {
            services.add(key.vip(), key.protocol().number(), key.port(), service);
        }
    }

    /** A model of what is installed now. */
    PacketModel of(Scenario scenario, Memory<ServiceFlow> flows, Memory<FragmentKey> fragments) {
        Services.Builder services = Services.builder();
        scenario.programs().forEach((key, program) -> offer(services, key, service(program)));
        Settings settings = scenario.settings();
        Tunnel tunnel = new Tunnel(
                mtu(settings.mtu()),
                source(settings.ipv4(), scenario.spreadBits(true)),
                source(settings.ipv6(), scenario.spreadBits(false)));
        return new PacketModel(
                services.build(),
                new io.l4lb.hashing.decision.Settings(
                        seed(settings.seed()),
                        tunnel,
                        new NextHops(gateway(settings.ipv4()), gateway(settings.ipv6())),
                        switches(scenario.switches())),
                flows(flows),
                fragments(fragments));
    }

    private @Nullable OuterSource source(NextHop hop, int bits) {
        return hop.source()
                .map(address -> new OuterSource(address, spreadBits(bits)))
                .orElse(null);
    }

    private static @Nullable Gateway gateway(NextHop hop) {
        @Nullable
        MacAddress other = hop.egress()
                .filter(egress -> egress.interfaceIndex() != Scenario.INGRESS)
                .map(Egress::own)
                .orElse(null);
        return hop.gateway()
                .map(mac -> new Gateway(MacAddress.ofBytes(mac), other))
                .orElse(null);
    }

    /** Its name is its key's, since services of the kernel have one key each. */
    private Service service(ServiceProgram program) {
        String name = program.key().toString();
        Map<String, InetAddress> active = new HashMap<>();
        program.active().forEach(real -> active.put(Real.identity(real), real));
        PacketKey key = program.packetKey();
        Service service;
        if (key.layout().isEmpty()) {
            service = Service.of(name, key.hashKey(), program.table(), active);
        } else {
            Map<ServerId, String> servers = new HashMap<>();
            key.servers().forEach((serverId, real) -> servers.put(serverId, Real.identity(real)));
            QuicServers quic = new QuicServers(key.layout().get(), servers);
            service = Service.ofQuic(name, program.table(), active, quic);
        }
        return service.withEncapsulation(encapsulation(program.forwarding()));
    }
}
