// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.mh.MhWeights;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What decides the table of mh: the weights that it is given, and the order of the list. */
final class MhLevels {
    /**
     * IPv4 before IPv6, and by number. The kernel puts what is added at the head of its list: with the largest address
     * there, a real that is added with the next address leaves all others where they are.
     */
    static final Comparator<Member> BY_ADDRESS = Comparator.comparing(
                    (Member member) -> member.real().getAddress().length)
            .thenComparing(member -> member.real().getAddress(), Arrays::compareUnsigned);

    private MhLevels() {}

    /** In the order that the kernel's list shall have. */
    static List<Member> listed(List<Member> members) {
        return members.stream().sorted(BY_ADDRESS.reversed()).toList();
    }

    /** By identity, the weights of all reals that have one, whether they are up or not. */
    static Map<String, Integer> of(List<Member> members) {
        Map<String, Integer> levels = new HashMap<>();
        MhWeights.levels(members.stream()
                        .filter(member -> member.weight() > 0)
                        .map(member -> new WeightedReal(member.identity(), member.weight()))
                        .toList())
                .forEach(real -> levels.put(real.identity(), real.weight()));
        return levels;
    }
}
