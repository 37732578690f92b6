// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A service as far as it could be read: what others may be in conflict with.
 *
 * @param reals their addresses, and that of the sorry real
 * @param service absent if something is wrong with it or the file before it
 */
record ServiceDraft(
        Origin origin,
        Optional<Located<String>> name,
        Endpoint endpoint,
        List<Located<InetAddress>> reals,
        Delivery delivery,
        Optional<Service> service) {
    /**
     * Where it comes from.
     *
     * @param path of its table; empty: it is not in the file now, but was in its last good state
     */
    record Origin(Path file, String path) {}

    /** Where it is offered. */
    record Endpoint(List<Located<InetAddress>> vips, Optional<Protocol> protocol, Optional<Integer> port) {}

    /**
     * How it is served.
     *
     * @param forwarding the default if it is wrong
     */
    record Delivery(Forwarding forwarding, Suitability suitability) {}

    /** A service of a file's last good state. */
    static ServiceDraft lastGood(Service service, Path file) {
        return new ServiceDraft(
                new Origin(file, ""),
                Optional.of(new Located<>(service.name(), 0, "")),
                new Endpoint(
                        nowhere(service.frontend().vips()),
                        Optional.of(service.frontend().protocol()),
                        Optional.of(service.frontend().port())),
                nowhere(service.receivers()),
                new Delivery(service.balancing().forwarding(), Suitability.FINE),
                Optional.of(service));
    }

    private static List<Located<InetAddress>> nowhere(List<InetAddress> addresses) {
        return addresses.stream().map(address -> new Located<>(address, 0, "")).toList();
    }

    Forwarding forwarding() {
        return delivery.forwarding();
    }

    boolean isLastGood() {
        return origin.path().isEmpty();
    }
}
