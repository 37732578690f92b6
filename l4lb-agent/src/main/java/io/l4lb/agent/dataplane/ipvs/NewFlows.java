// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import java.net.InetAddress;

/** How the flows of a service that IPVS has no connection of get their real. */
interface NewFlows {
    /** What of a packet decides. */
    HashKey hashKey();

    /**
     * Chooses.
     *
     * @param flow the 5-tuple of the frame, or of the flow that it is about
     */
    Choice choose(byte[] frame, FlowKey flow);

    /** What becomes of a packet that there is no real for. */
    Fate withoutReal();

    /** Whether it may be that there is a real though none was chosen here. */
    boolean isKernels();

    /**
     * Whether packets of a connection to that real go there.
     *
     * @param begins whether it is a SYN
     */
    boolean keeps(InetAddress real, boolean begins);
}
