// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.util.List;

/**
 * What the VIPs of one name, on one protocol and port or on any, offer.
 *
 * @param name unique in the whole configuration
 * @param reals at least one, each address once
 */
public record Service(
        String name, Frontend frontend, Balancing balancing, Quorum quorum, HealthCheck healthCheck, List<Real> reals) {
    public Service {
        reals = List.copyOf(reals);
    }
}
