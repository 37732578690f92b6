// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.Availability.AllDown;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Who gets the packets of a service of whose reals none is up. */
final class Fallback {
    private Fallback() {}

    /** Whether a real is to get new flows. */
    static boolean counts(Real real) {
        return real.weight() > 0 && !real.maintenance();
    }

    /**
     * The members in place of those that there are; empty: the VIP is withdrawn. So it is too as long as a real was not probed yet,
     * and when those that would get the packets cannot be reached.
     *
     * @param members of whom none gets new flows
     */
    static Optional<List<Member>> members(Service service, ServiceKey key, Belief belief, List<Member> members) {
        Set<RealKey> down = service.reals().stream()
                .filter(Fallback::counts)
                .map(real -> new RealKey(key, real.address()))
                .collect(Collectors.toSet());
        if (down.isEmpty() || !down.stream().allMatch(belief::down)) {
            return Optional.empty();
        }
        AllDown allDown = service.availability().allDown();
        return switch (allDown.policy()) {
            case WITHDRAW -> Optional.empty();
            case KEEP_ALL -> all(key, down, belief, members);
            case SORRY ->
                allDown.sorry()
                        .filter(sorry -> belief.reachable(new RealKey(key, sorry.address())))
                        .map(sorry -> with(sorry, members));
        };
    }

    private static Optional<List<Member>> all(ServiceKey key, Set<RealKey> down, Belief belief, List<Member> members) {
        List<Member> all = new ArrayList<>();
        for (Member member : members) {
            RealKey real = new RealKey(key, member.real());
            boolean kept = down.contains(real) && belief.reachable(real);
            all.add(kept ? new Member(member.real(), member.weight(), true) : member);
        }
        return all.stream().anyMatch(member -> member.effectiveWeight() > 0) ? Optional.of(all) : Optional.empty();
    }

    /** The reals stay members, since they are configured still: one that is no member is on its way out. */
    private static List<Member> with(Real sorry, List<Member> members) {
        List<Member> all = new ArrayList<>(members);
        all.add(new Member(sorry.address(), sorry.weight(), true));
        return all;
    }
}
