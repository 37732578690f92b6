// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the kernel shall do for one service.
 *
 * @param packetKey its server IDs name active reals alone, so that the others leave nothing behind
 * @param forwarding how packets travel to all of its reals
 * @param scheduling how new flows get their real; empty: not known, of what was read back
 * @param lookup its reals are named by their addresses' literals; empty: the kernel's scheduler has none
 * @param members all configured reals, sorted by identity
 */
public record ServiceProgram(
        ServiceKey key,
        PacketKey packetKey,
        Forwarding forwarding,
        Optional<Scheduling> scheduling,
        Optional<LookupTable> lookup,
        List<Member> members) {
    /**
     * A real of the service.
     *
     * @param weight as configured; 0: drained
     * @param up whether flows may go to it: those that are already known, and new ones if its weight is not 0
     */
    public record Member(InetAddress real, int weight, boolean up) {
        /** Its share of new flows now. */
        public int effectiveWeight() {
            return up ? weight : 0;
        }

        /** See {@link Real#identity}. */
        public String identity() {
            return Real.identity(real);
        }
    }

    public ServiceProgram {
        members =
                members.stream().sorted(Comparator.comparing(Member::identity)).toList();
        if (!active(members).containsAll(packetKey.servers().values())) {
            throw new IllegalArgumentException("a server ID names a real that is not active: " + packetKey.servers());
        }
    }

    /**
     * By a table.
     *
     * @param table its reals are named by their addresses' literals
     * @param active reals to which flows that are already known may still go: those in the table, and drained ones
     */
    public ServiceProgram(
            ServiceKey key, PacketKey packetKey, Forwarding forwarding, LookupTable table, Set<InetAddress> active) {
        this(key, packetKey, forwarding, Optional.empty(), Optional.of(table), members(table, active));
    }

    private static List<Member> members(LookupTable table, Set<InetAddress> active) {
        Map<String, Integer> weights = new HashMap<>();
        for (WeightedReal real : table.reals()) {
            weights.put(real.identity(), real.weight());
        }
        List<Member> members = new ArrayList<>();
        active.forEach(real -> members.add(new Member(real, weights.getOrDefault(Real.identity(real), 0), true)));
        return members;
    }

    /** The table of a service that has one. */
    public LookupTable table() {
        return lookup.orElseThrow(() -> new IllegalStateException(key + " has no lookup table"));
    }

    /** Reals to which flows that are already known may go: all that are up. */
    public Set<InetAddress> active() {
        return active(members);
    }

    private static Set<InetAddress> active(List<Member> members) {
        return members.stream().filter(Member::up).map(Member::real).collect(Collectors.toUnmodifiableSet());
    }
}
