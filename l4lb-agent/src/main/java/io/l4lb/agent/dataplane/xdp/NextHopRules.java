// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.MacAddress;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/**
 * What next hops are looked for by.
 *
 * @param ingress interfaces that packets come in by, and where the programs are
 * @param only whether no other is configured, which may be missing now and come later
 * @param fib whether the kernel is asked for the next hop of each packet, else all go to one gateway
 * @param source4 outer source towards IPv4 reals; empty: the one that the kernel would use
 * @param source6 the same towards IPv6 reals
 */
record NextHopRules(
        Set<Integer> ingress, boolean only, boolean fib, Optional<InetAddress> source4, Optional<InetAddress> source6) {
    NextHopRules {
        ingress = Set.copyOf(ingress);
    }

    /** Of interfaces that are all there. */
    NextHopRules(Set<Integer> ingress, boolean fib, Optional<InetAddress> source4, Optional<InetAddress> source6) {
        this(ingress, ingress.size() == 1, fib, source4, source6);
    }

    /** Whether packets can come in by that interface alone. */
    boolean isOnly(int interfaceIndex) {
        return only && ingress.equals(Set.of(interfaceIndex));
    }

    /** What is to be written of an interface that leads to a next hop: nothing, if it is the only one there is. */
    Optional<Egress> egress(int interfaceIndex, MacAddress own) {
        return isOnly(interfaceIndex) ? Optional.empty() : Optional.of(new Egress(interfaceIndex, own));
    }
}
