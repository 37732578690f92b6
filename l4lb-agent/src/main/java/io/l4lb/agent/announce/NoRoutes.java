// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.announce;

import io.l4lb.agent.reconcile.Announcements;
import java.net.InetAddress;
import java.util.Set;

/** Without a {@code [bgp]} table: somebody else leads the traffic here, and nothing is announced. */
public final class NoRoutes implements Announcements {
    @Override
    public void want(Set<InetAddress> vips) {}

    @Override
    public boolean withdrawn(InetAddress vip) {
        return true;
    }
}
