// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import java.net.InetAddress;
import java.util.Set;

/** What the reconciler needs of the route speaker. */
public interface Announcements {
    /** Announces these VIPs and withdraws all others. Does not block. */
    void want(Set<InetAddress> vips);

    /** Whether no router has a route to the VIP from this director, as far as the sessions have told. */
    boolean withdrawn(InetAddress vip);
}
