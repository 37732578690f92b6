// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What happens to a service when one of its reals goes down.
 *
 * @param after what would be installed
 * @param moved slots that would name another real
 * @param others those of them that were not the real's own
 */
record RealLoss(ServiceProgram after, int moved, int others) {
    /**
     * The loss of one real.
     *
     * @param service as it should be: it knows the weights
     * @param installed as it is
     * @param lost identity of the real
     */
    static RealLoss of(DesiredService service, ServiceProgram installed, String lost, HashSeed seed) {
        List<Member> members = service.program().members().stream()
                .map(member ->
                        member.identity().equals(lost) ? new Member(member.real(), member.weight(), false) : member)
                .toList();
        LookupTable before = installed.table();
        Balancing balancing = service.service().balancing();
        LookupTable table = new SeededTables(seed)
                .table(new Tables.Request(
                        Optional.of(service.key()),
                        resized(balancing.scheduling(), before.size()),
                        balancing.hashKey(),
                        members))
                .orElseThrow();
        Set<InetAddress> active = installed.active().stream()
                .filter(real -> !Real.identity(real).equals(lost))
                .collect(Collectors.toSet());
        ServiceProgram after = new ServiceProgram(
                installed.key(), installed.packetKey().onlyOf(active), installed.forwarding(), table, active);
        int moved = before.moved(table);
        return new RealLoss(after, moved, moved - before.slotsByReal().getOrDefault(lost, 0));
    }

    private static Scheduling resized(Scheduling scheduling, int size) {
        return scheduling instanceof Scheduling.ByTable byTable
                ? new Scheduling.ByTable(byTable.scheduler(), size)
                : scheduling;
    }
}
