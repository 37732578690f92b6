// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        XdpSection xdp,
        Optional<BgpSection> bgp,
        List<Service> services,
        Map<String, Path> serviceFiles,
        boolean complete) {
    public Config {
        services = List.copyOf(services);
        serviceFiles = Map.copyOf(serviceFiles);
    }
}
