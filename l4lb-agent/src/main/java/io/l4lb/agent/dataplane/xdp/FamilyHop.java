// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Map;

/** How the reals of one address family are reached. For one thread. */
interface FamilyHop {
    /** What is written to the settings. */
    NextHop hop();

    /**
     * Asks the kernel again.
     *
     * @param reals of this family
     * @param problems gets, by real, why packets cannot be sent to it
     * @return by real, the interface by which packets to it leave, of those that have one
     */
    Map<InetAddress, Integer> follow(Collection<InetAddress> reals, Map<InetAddress, String> problems);
}
