// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.xdp.XdpDataplane;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.benchmarks.report.MeasurementException;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.test.Address;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * A director in a network namespace of its own, its router in another: the balancer is loaded, attached and filled
 * by the agent's own classes, from a configuration file, as if all reals were up. No packet passes the link.
 */
final class Director implements AutoCloseable {
    static final String INTERFACE = "d0";
    private static final String GATEWAY_MAC = "02:00:00:00:02:01";

    private final Configuration configuration;
    private final NamespaceThread thread;
    private final XdpDataplane dataplane;
    private final ProgramHandle program;
    private Set<InetAddress> reals = Set.of();

    /**
     * Makes one.
     *
     * @param namespaces where its namespaces belong, so that they vanish in every case
     * @param name of the director among these
     */
    Director(Namespaces namespaces, String name, Configuration configuration) {
        this.configuration = configuration;
        link(namespaces, name, name + "-router");
        thread = new NamespaceThread(namespaces.name(name));
        Config config = load(configuration.toml());
        HashSeed seed = HashSeed.ofHex(Configuration.SEED);
        dataplane = call(() -> XdpDataplane.open(config.xdp(), seed));
        program = call(() -> fill(config, seed));
    }

    private static void link(Namespaces namespaces, String director, String router) {
        namespaces.make(director);
        namespaces.make(router);
        namespaces.connect(director, INTERFACE, router, "r0");
        namespaces.batch(router, """
                link set r0 address %s
                addr add 10.2.0.1/24 dev r0
                addr add fd00:2::1/64 dev r0 nodad
                """.formatted(GATEWAY_MAC));
        namespaces.batch(director, """
                addr add 10.2.0.2/24 dev d0
                addr add fd00:2::2/64 dev d0 nodad
                route add default via 10.2.0.1
                route add default via fd00:2::1
                neigh replace 10.2.0.1 lladdr %1$s dev d0
                neigh replace fd00:2::1 lladdr %1$s dev d0
                """.formatted(GATEWAY_MAC));
    }

    private static Config load(String toml) {
        try {
            Path file = Files.createTempFile("l4lb-bench", ".toml");
            try {
                LoadResult result = ConfigLoader.load(Files.writeString(file, toml), Optional.empty());
                if (!result.problems().isEmpty()) {
                    throw new IllegalStateException(
                            "this version does not take the configuration: " + result.problems());
                }
                return result.config().orElseThrow();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new MeasurementException("packets", e);
        }
    }

    private ProgramHandle fill(Config config, HashSeed seed) {
        List<DesiredService> desired = new Planner(new SeededTables(seed)).desired(config.services(), real -> true);
        desired.forEach(service -> dataplane.install(service.program()));
        reals = config.services().stream()
                .flatMap(service -> service.reals().stream())
                .map(Real::address)
                .collect(Collectors.toUnmodifiableSet());
        Set<InetAddress> vips =
                desired.stream().map(service -> service.key().vip()).collect(Collectors.toUnmodifiableSet());
        Map<InetAddress, String> problems = dataplane.follow(reals, vips);
        if (!problems.keySet().stream().noneMatch(reals::contains)) {
            throw new IllegalStateException("reals cannot be reached: " + problems);
        }
        int index = Interfaces.index(INTERFACE).orElseThrow();
        return ProgramHandle.byId(Links.attachedXdp(index).orElseThrow().programId())
                .orElseThrow();
    }

    /** The balancer, which is closed with this. */
    ProgramHandle program() {
        return program;
    }

    Configuration configuration() {
        return configuration;
    }

    /** Of all services. */
    Set<InetAddress> reals() {
        return reals;
    }

    /** Packets by the verdict's name. */
    Map<String, Long> verdicts() {
        return call(dataplane::verdicts);
    }

    /** Whether the flow table has a client's TCP flow to {@link Vips#IPV4}. */
    boolean remembers(InetAddress client, int port) {
        InetAddress vip = Address.ip(Vips.IPV4);
        ServiceKey service = new ServiceKey(vip, Protocol.TCP, Vips.TCP_PORT);
        FlowKey flow = new FlowKey(client, port, vip, Vips.TCP_PORT, Protocol.TCP.number());
        return call(() -> dataplane.remembered(service, flow)).isPresent();
    }

    private <T> T call(Callable<T> code) {
        try {
            return thread.call(code);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        program.close();
        call(() -> {
            dataplane.close();
            return true;
        });
        thread.close();
    }
}
