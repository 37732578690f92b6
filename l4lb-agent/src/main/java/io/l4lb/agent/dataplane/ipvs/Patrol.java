// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.ipvs.ServiceIdentity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Looks whether services are still in IPVS, one each time, in turn: who takes out all is noticed at once, whatever their
 * number. For the reconcile thread alone.
 */
final class Patrol {
    private final Kernel kernel;
    private final Deque<ServiceIdentity> turn = new ArrayDeque<>();

    Patrol(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Whether the next one is missing of these, which were all there. */
    boolean misses(Set<? extends ServiceIdentity> there) {
        turn.removeIf(service -> !there.contains(service));
        if (turn.isEmpty()) {
            turn.addAll(there);
        }
        if (turn.isEmpty()) {
            return false;
        }
        ServiceIdentity next = turn.remove();
        return kernel.service(next).isEmpty();
    }
}
