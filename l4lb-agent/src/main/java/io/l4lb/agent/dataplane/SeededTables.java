// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.Optional;

/**
 * Tables of our own schedulers, from the reals that are up: equal reals and weights give an equal table.
 *
 * @param seed of the site
 */
public record SeededTables(HashSeed seed) implements Tables {
    @Override
    public Optional<LookupTable> table(Request request) {
        if (!(request.scheduling() instanceof Scheduling.ByTable byTable)) {
            throw new IllegalStateException(request.scheduling().key() + " has no table of ours");
        }
        List<WeightedReal> reals = request.members().stream()
                .map(member -> new WeightedReal(member.identity(), member.effectiveWeight()))
                .toList();
        return Optional.of(byTable.scheduler().build(reals, byTable.size(), seed));
    }

    @Override
    public Request inputs(Request request) {
        List<Member> members = request.members().stream()
                .map(member -> new Member(member.real(), member.effectiveWeight(), true))
                .toList();
        return new Request(Optional.empty(), request.scheduling(), HashKey.FIVE_TUPLE, members);
    }
}
