// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A whole configuration: the main file and the files of {@code services-dir}.
 *
 * @param services in the order of the files, main file first
 * @param serviceFiles by service name, the file that defines it
 * @param complete whether no file is missing from it; if one is, because it was broken when the agent started, then what
 *     the dataplane has and the configuration has not may be what that file says
 */
public record Config(
        AgentSection agent,
        DataplaneSections dataplanes,
        Optional<BgpSection> bgp,
        List<Service> services,
        Map<String, Path> serviceFiles,
        boolean complete) {
    /**
     * How many ways to reals there can be: pairs of an address and a forwarding method. Each has a mark of its own, by which
     * its probes find it.
     */
    public static final int MAX_WAYS = 65536;

    public Config {
        services = List.copyOf(services);
        serviceFiles = Map.copyOf(serviceFiles);
    }

    /** With the table of one dataplane alone. */
    public Config(
            AgentSection agent,
            DataplaneSection dataplane,
            Optional<BgpSection> bgp,
            List<Service> services,
            Map<String, Path> serviceFiles,
            boolean complete) {
        this(agent, new DataplaneSections(dataplane, Optional.empty()), bgp, services, serviceFiles, complete);
    }

    /** The table of the dataplane that runs. */
    public DataplaneSection dataplane() {
        return dataplanes.chosen();
    }

    /**
     * The {@code [xdp]} table.
     *
     * @throws IllegalStateException it is not the dataplane that runs
     */
    public XdpSection xdp() {
        if (dataplane() instanceof XdpSection xdp) {
            return xdp;
        }
        throw new IllegalStateException("the dataplane is not xdp");
    }

    /** The addresses of all reals, sorry ones included. */
    public Set<InetAddress> reals() {
        return services.stream()
                .flatMap(service -> service.receivers().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
