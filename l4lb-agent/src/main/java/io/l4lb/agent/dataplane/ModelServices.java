// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.decision.Encapsulation;
import io.l4lb.hashing.decision.QuicServers;
import io.l4lb.hashing.decision.Service;
import io.l4lb.hashing.decision.Services;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Services for the packet model. Each has the name of its key, since the same configured service has a table of its own at
 * each of its VIPs.
 */
public final class ModelServices {
    private ModelServices() {}

    /** Those that have tables. */
    public static Services of(Collection<ServiceProgram> programs) {
        Services.Builder services = Services.builder();
        programs.forEach(program -> offer(services, program.key(), service(program)));
        return services.build();
    }

    /** Offers a service where its key says. */
    public static void offer(Services.Builder services, ServiceKey key, Service service) {
        int protocol = key.protocol().number();
        if (key.protocol() == Protocol.ANY) {
            services.addAnyProtocol(key.vip(), service);
        } else if (key.port() == Frontend.ANY_PORT) {
            services.addAnyPort(key.vip(), protocol, service);
        } else {
            services.add(key.vip(), protocol, key.port(), service);
        }
    }

    private static Service service(ServiceProgram program) {
        String name = program.key().toString();
        Map<String, InetAddress> active = new HashMap<>();
        program.active().forEach(real -> active.put(Real.identity(real), real));
        return hashed(name, program, active).withEncapsulation(encapsulation(program.forwarding()));
    }

    private static Service hashed(String name, ServiceProgram program, Map<String, InetAddress> active) {
        PacketKey key = program.packetKey();
        if (key.layout().isEmpty()) {
            return Service.of(name, key.hashKey(), program.table(), active);
        }
        Map<ServerId, String> servers = new HashMap<>();
        key.servers().forEach((serverId, real) -> servers.put(serverId, Real.identity(real)));
        return Service.ofQuic(
                name, program.table(), active, new QuicServers(key.layout().get(), servers));
    }

    /** How the packet looks then is only told where the dataplane is ours, and it has these two alone. */
    private static Encapsulation encapsulation(Forwarding forwarding) {
        return switch (forwarding) {
            case GUE -> Encapsulation.GUE;
            case IPIP, GRE, DIRECT, MASQUERADE -> Encapsulation.IPIP;
        };
    }
}
