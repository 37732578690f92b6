// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Service;

/**
 * A configured service at one of its VIPs, as it should be now.
 *
 * @param healthy reals that are up and have a weight above 0
 * @param quorum whether these are enough for the VIP to be announced, or what its service does without any is
 * @param full every real with a weight above 0 is healthy, or none is and it does as its policy says
 * @param draining no real has a weight above 0, but one that is up may still have flows: a VIP that is announced stays so
 */
public record DesiredService(
        Service service, ServiceProgram program, int healthy, boolean quorum, boolean full, boolean draining) {
    /** Its identity. */
    public ServiceKey key() {
        return program.key();
    }

    /** Whether no real is up, and it does what its policy for that says, which is not to withdraw. */
    public boolean fallback() {
        return quorum && healthy == 0;
    }
}
