// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;

/** The way of a probe: that of the packets for which it speaks. Services may send to one real in several ways. */
public record ProbePath(InetAddress real, Forwarding forwarding) {
    /** The lowest mark that probes may have; there are as many as {@link io.l4lb.agent.model.Config#MAX_WAYS}. */
    public static final int FIRST_MARK = 0x4c340000;
}
