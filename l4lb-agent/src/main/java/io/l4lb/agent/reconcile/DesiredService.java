// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Service;

/**
 * One service as it should be now.
 *
 * @param healthy reals that are up and have a weight above 0
 * @param quorum whether these are enough for its VIPs to be announced
 */
public record DesiredService(Service service, ServiceProgram program, int healthy, boolean quorum) {
    String name() {
        return service.name();
    }
}
