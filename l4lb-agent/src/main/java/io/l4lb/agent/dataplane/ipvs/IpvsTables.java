// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.mh.KernelMaglev;
import io.l4lb.hashing.mh.MhDestination;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table of mh as the kernel builds it, and our own for the services that it has no scheduler for.
 *
 * @param maglev who makes the tables of Maglev
 */
public record IpvsTables(SeededTables seeded, Maglev maglev) implements Tables {
    @Override
    public Optional<LookupTable> table(Request request) {
        Optional<KernelScheduler> scheduler = scheduler(request);
        if (scheduler.isEmpty()) {
            return seeded.table(request);
        }
        return scheduler
                .filter(name -> name == KernelScheduler.MH)
                .map(mh -> mh(request.key().orElseThrow(), request.members()));
    }

    private static LookupTable mh(ServiceKey key, List<Member> members) {
        Map<String, Integer> levels = MhLevels.of(members);
        List<MhDestination> destinations = MhLevels.listed(members).stream()
                .filter(member -> member.weight() > 0 && (member.up() || !leavesWhenDown(key)))
                .map(member -> new MhDestination(
                        member.identity(), member.real(), key.port(), levels.getOrDefault(member.identity(), 0)))
                .toList();
        return KernelMaglev.of(Identities.family(key), destinations).table();
    }

    @Override
    public Request inputs(Request request) {
        Optional<KernelScheduler> scheduler = scheduler(request);
        if (scheduler.isEmpty()) {
            return seeded.inputs(request);
        }
        boolean down = request.key().filter(IpvsTables::leavesWhenDown).isPresent();
        List<Member> nominal = request.members().stream()
                .map(member -> new Member(member.real(), member.weight(), !down || member.up()))
                .toList();
        return new Request(request.key(), request.scheduling(), request.hashKey(), nominal);
    }

    /** Whether a real that is down is taken out, see {@link ServiceRule#dead}. */
    private static boolean leavesWhenDown(ServiceKey key) {
        return key.protocol() == Protocol.UDP;
    }

    private Optional<KernelScheduler> scheduler(Request request) {
        int port = request.key().map(ServiceKey::port).orElse(0);
        return KernelSchedulers.of(request.scheduling(), request.hashKey(), port, maglev);
    }
}
