// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Routes that are announced and withdrawn at once, unless a test lets them linger. */
public final class FakeRoutes implements Announcements {
    final List<Set<InetAddress>> calls = new ArrayList<>();
    final Set<InetAddress> lingering = new HashSet<>();
    Set<InetAddress> wanted = Set.of();

    @Override
    public void want(Set<InetAddress> vips) {
        wanted = Set.copyOf(vips);
        calls.add(wanted);
    }

    @Override
    public boolean withdrawn(InetAddress vip) {
        return !wanted.contains(vip) && !lingering.contains(vip);
    }
}
