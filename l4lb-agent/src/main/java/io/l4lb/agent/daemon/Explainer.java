// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.ExplainView;
import java.util.Optional;

/** Says where a dataplane sends a packet. For the reconcile thread alone. */
interface Explainer {
    /**
     * Explains a frame.
     *
     * @param frame any bytes, from the Ethernet header on
     */
    ExplainView explain(Outcome outcome, byte[] frame);

    /** What a service should be; empty: it is in the kernel alone. */
    static Optional<DesiredService> desired(Outcome outcome, ServiceKey key) {
        return outcome.desired().stream()
                .filter(candidate -> candidate.key().equals(key))
                .findFirst();
    }
}
