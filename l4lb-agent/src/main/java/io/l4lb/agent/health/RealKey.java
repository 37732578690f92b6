// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.dataplane.ServiceKey;
import java.net.InetAddress;

/** A real as reached by one VIP: the unit of health. */
public record RealKey(ServiceKey service, InetAddress real) {
    /** The identity of its probe: it outlives reloads, renaming and regrouping of services. */
    public String probeId() {
        return service + " via " + real.getHostAddress();
    }
}
