// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;

/** What the kernel does for one service, read back. Two are equal when the kernel does the same. */
public interface ObservedService {
    ServiceKey key();

    /** Slots of its lookup table; 0: it has none. */
    int tableSize();

    /** Of the slots, comparable with {@link LookupTable#digest()}; of what decides in their place, if there are none. */
    long digest();

    /** By real, the slots that name it; reals without a slot are left out. Without a table: the weights in their place. */
    Map<InetAddress, Integer> slots();

    /** Reals to which remembered flows may go. */
    Set<InetAddress> active();

    /** What of a packet decides its real, as far as the kernel tells. */
    PacketKey packetKey();

    /** Whether new flows find a real. */
    boolean forwards();

    /** Whether nothing is left to be installed. */
    boolean does(ServiceProgram program);
}
