// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;

/**
 * What one pass does, in this order: keep announced only what {@code announce} and {@code mended} have, install, announce, remove.
 *
 * @param announce VIPs that may be announced once the installs have been read back
 * @param mended VIPs that are announced though the kernel does not do their service any more: somebody has taken it away.
 *     They stay while it is put back, which is quicker than routers are
 * @param installs services that the kernel does not do yet
 * @param removals keys that nobody wants any more
 */
public record Plan(
        Set<InetAddress> announce, Set<InetAddress> mended, List<DesiredService> installs, Set<ServiceKey> removals) {
    public Plan {
        announce = Set.copyOf(announce);
        mended = Set.copyOf(mended);
        installs = List.copyOf(installs);
        removals = Set.copyOf(removals);
    }
}
