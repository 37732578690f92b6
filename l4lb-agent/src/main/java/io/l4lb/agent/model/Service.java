// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the VIPs of one name, on one protocol and port or on any, offer.
 *
 * @param name unique in the whole configuration
 * @param reals at least one, each address once
 */
public record Service(
        String name,
        Frontend frontend,
        Balancing balancing,
        Availability availability,
        HealthCheck healthCheck,
        List<Real> reals) {
    public Service {
        reals = List.copyOf(reals);
    }

    /** With the defaults of what it does when reals fail. */
    public Service(
            String name,
            Frontend frontend,
            Balancing balancing,
            Quorum quorum,
            HealthCheck healthCheck,
            List<Real> reals) {
        this(name, frontend, balancing, new Availability(quorum), healthCheck, reals);
    }

    /** The healthy reals that it needs to be announced. */
    public Quorum quorum() {
        return availability.quorum();
    }

    /** The addresses of all that may get its packets: its reals, and its sorry real. */
    public List<InetAddress> receivers() {
        return Stream.concat(reals.stream(), availability.allDown().sorry().stream())
                .map(Real::address)
                .toList();
    }
}
