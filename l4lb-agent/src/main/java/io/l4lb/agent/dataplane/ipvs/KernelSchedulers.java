// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.Scheduler;
import java.util.Optional;

/** Which services the kernel's own schedulers serve; the others go by our tables, through marks. */
final class KernelSchedulers {
    private KernelSchedulers() {}

    /**
     * The kernel's scheduler; empty: it has none that would do.
     *
     * @param port 0: any, which the kernel's schedulers take only with persistence
     * @param maglev who makes the tables of Maglev
     */
    static Optional<KernelScheduler> of(Scheduling scheduling, HashKey hashKey, int port, Maglev maglev) {
        if (scheduling instanceof Scheduling.ByKernel byKernel) {
            return Optional.of(byKernel.scheduler());
        }
        boolean mh = scheduling instanceof Scheduling.ByTable byTable
                && byTable.scheduler() == Scheduler.MAGLEV
                && hashKey != HashKey.QUIC_CID
                && port != Frontend.ANY_PORT
                && maglev == Maglev.KERNEL;
        return mh ? Optional.of(KernelScheduler.MH) : Optional.empty();
    }

    /** The same of a program. */
    static Optional<KernelScheduler> of(ServiceProgram program, Maglev maglev) {
        return program.scheduling()
                .flatMap(scheduling -> of(
                        scheduling, program.packetKey().hashKey(), program.key().port(), maglev));
    }
}
