// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.health.RealKey;
import java.util.function.Predicate;

/** What a plan goes by: where flows may go. */
interface Belief {
    /** Whether new flows may go to a real by a VIP. */
    boolean up(RealKey key);

    /** Whether it is known that a real is down; of one that was not probed yet nothing is known. */
    boolean down(RealKey key);

    /** Whether packets can be sent to a real by a VIP, whatever it does with them. */
    boolean reachable(RealKey key);

    /** Of nobody it is known that it is down. */
    static Belief of(Predicate<RealKey> up) {
        return new Belief() {
            @Override
            public boolean up(RealKey key) {
                return up.test(key);
            }

            @Override
            public boolean down(RealKey key) {
                return false;
            }

            @Override
            public boolean reachable(RealKey key) {
                return true;
            }
        };
    }
}
